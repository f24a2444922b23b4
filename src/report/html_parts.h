/* Parts of the HTML report that stand for themselves. */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "report/html_page.h"
#include "report/report.h"
#include "report/steps.h"

/* A string as JSON inside of a script element, which would end at the first "</". */
void html_script_json(struct sbuf *out, const char *text);

/* "1 step", "2,000 steps". */
void html_count(struct sbuf *out, uint64_t n, const char *what);

/* Why, as a picture: who holds and who waits for whom; two accesses and the order that is missing;
 * the life of a block. `lane` is the lane of each thread, `section` the number of the finding on
 * the page. */
struct why_picture {
    struct names *n;
    const struct report_finding *f;
    const struct tale_finding *told;
    const struct told_steps *steps;
    const int *lane;
    size_t section;
    struct sbuf *out;
};
void html_why_picture(const struct why_picture *w);

/* Does the fact tell what its thread waits for when the failure comes? */
int html_is_wait(const struct fact *f);

/* The search in a few lines: counts, remarks. And how it went along: charts, lines reached and
 * interleaved. */
void html_search(const struct report *r, struct sbuf *out);
void html_course(const struct report *r, struct sbuf *out);

/* The source files, to read and for the script; a file larger than `each`, or beyond `all` in sum,
 * is left out, and says so. */
void html_sources(const struct html_file *files, size_t count, size_t each, size_t all,
                  struct sbuf *out);

#endif
