/* Findings that are known: they are told in one line and do not fail. They are named by rules.
 *
 * A file of suppressions (raddle.supp) has lines KIND:PATTERN, as ThreadSanitizer's. KIND is a name of
 * finding.def or `any`; the pattern is looked for in the functions and files of the finding's stacks and
 * in the name of its object; * stands for anything, ^ and $ for the two ends. A baseline has lines that
 * report/identity.h wrote. In both, empty lines and lines that begin with # are comments. */
#ifndef HOST_KNOWN_H
#define HOST_KNOWN_H

#include "report/report.h"

struct known_rule {
    char *kind;    /* NULL: any */
    char *pattern; /* NULL: `identity` is meant */
    char *identity;
    char *from; /* "raddle.supp:3" */
};

struct known {
    VEC(struct known_rule) rules;
};

/* `suppressions` NULL: raddle.supp where the command is called, if there is one. `baseline` NULL: none. */
int known_load(struct known *k, const char *suppressions, const char *baseline, struct error *e);
void known_free(struct known *k);

/* The rule that names the finding, as "raddle.supp:3"; NULL if none does. */
const char *known_by(const struct known *k, const struct report_finding *f);

/* Adds the findings of the report to a baseline, each once; the file is made if there is none. */
int known_save(const char *path, const struct report *r, struct error *e);

#endif
