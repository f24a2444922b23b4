/* Tests that are there already: existing ones to keep, base-choice tests. */
#ifndef PAIRS_REUSE_H
#define PAIRS_REUSE_H

#include "pairs/generate.h"

/* Puts the seeds (and, if asked for, the base-choice tests) that belong to this problem's mode into
 * the table as fixed rows; cells that contradict the constraints are opened. */
void reuse_tests(const struct problem *p, const struct pairs_options *o, struct pairs_result *r,
                 struct table *t);

#endif
