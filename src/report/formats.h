/* Reports for other programs: what CI systems, editors and browsers read. Each writes the whole report, text
 * that came from the tested program or its files only ever as text. */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/report.h"

void report_html(const struct report *r, struct sbuf *out);     /* one page that needs nothing else */
void report_sarif(const struct report *r, struct sbuf *out);    /* SARIF 2.1.0 */
void report_junit(const struct report *r, struct sbuf *out);    /* JUnit XML: one test case per run */
void report_tap(const struct report *r, struct sbuf *out);      /* Test Anything Protocol, version 13 */
void report_quality(const struct report *r, struct sbuf *out);  /* GitLab's code quality JSON */
void report_markdown(const struct report *r, struct sbuf *out); /* a summary for a pull request */
void report_annotations(const struct report *r, struct sbuf *out); /* GitHub's workflow commands */
void report_lcov(const struct report *r, struct sbuf *out); /* lines that were reached (lines.c) */
void report_perfetto(const struct report *r, struct sbuf *out); /* the worst finding's execution as a trace */

/* The verdict in one line without colours; for JSON objects `,"key":` and a value (NULL: null). */
char *report_verdict_line(const struct report *r);
void format_key(struct sbuf *out, const char *key);
void format_text(struct sbuf *out, const char *key, const char *value);

#endif
