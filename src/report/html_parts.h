/* Parts of the HTML report that stand for themselves. */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "report/report.h"

/* A string as JSON inside of a script element, which would end at the first "</". */
void html_script_json(struct sbuf *out, const char *text);

/* Why, as a picture: who waits for whom, or two accesses and the edge that is missing. Nothing for other
 * kinds of findings. */
void html_why_picture(struct names *n, const struct report_finding *f, struct sbuf *out);

/* How the search went: counts, executions per bound, remarks. */
void html_search(const struct report *r, struct sbuf *out);

/* The source files, to read and for the script; a file larger than `each`, or beyond `all` in sum, is left
 * out, and says so. */
void html_sources(const char *const *files, size_t count, size_t each, size_t all, struct sbuf *out);

#endif
