/* A page that needs nothing else: what is in it is added, at the end it is put together with style,
 * script and the sources that the steps of findings are in. */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "base/mem.h"
#include "report/report.h"

struct html_file {
    char *name, *path; /* as it is shown, and where it was compiled */
};

struct html_page {
    struct sbuf body;
    VEC(struct html_file) files; /* the sources, by number */
    size_t sections;   /* findings so far */
};

/* A report: the search, each finding with its why, steps and state. */
void html_add(struct html_page *p, const struct report *r);

/* Writes the page and frees it. `class` is that of the verdict: bug, safe, incomplete. */
void html_end(struct html_page *p, const char *class, const char *verdict, struct sbuf *out);

#endif
