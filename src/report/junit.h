/* JUnit XML: suites of test cases, as Jenkins, GitLab and most others read it. */
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include "base/sbuf.h"

/* Incomplete is skipped: neither "passed" nor "failed" would be true. */
enum junit_outcome { JUNIT_PASSED, JUNIT_FAILED, JUNIT_SKIPPED, JUNIT_ERROR, JUNIT_OUTCOMES };

struct junit_case {
    const char *class, *name;
    double seconds;
    enum junit_outcome outcome;
    const char *message; /* its first line is shown; of all but passed ones */
    const char *text;    /* all there is to say; may be NULL */
};

enum junit_outcome junit_outcome(int status); /* of the exit status of a command */

/* `cases` holds what junit_case wrote, `counts` how many of each outcome there are. */
void junit_case(struct sbuf *cases, const struct junit_case *c);
void junit_suite(struct sbuf *suites, const char *name, const struct sbuf *cases,
                 const int counts[JUNIT_OUTCOMES], double seconds);
void junit_document(struct sbuf *out, const struct sbuf *suites);

/* All of it for one test. */
void junit_one(struct sbuf *out, const struct junit_case *c);

#endif
