/* Horizontal growth by IPO_H_EC (section 4.4.1): the best values for all tests at once. */
#ifndef PAIRS_EXACT_H
#define PAIRS_EXACT_H

#include "pairs/space.h"

/* Generates tests for pairs without constraints with optimal horizontal growth in each step.
 * -1 with e filled if the model has constraints or relations or the search would be too long. */
int exact_generate(const struct problem *p, struct table *t, struct error *e);

#endif
