/* Covering arrays by construction rather than search, to start the generator from. */
#ifndef PAIRS_ALGEBRA_H
#define PAIRS_ALGEBRA_H

#include "pairs/space.h"

/* Fills the table with an array of strength t on the listed parameters (values a parameter does
 * not have stay open; so do all other parameters). Parameters beyond what the construction has
 * columns for are left out, from the end of the list. Returns the number of parameters used, 0 if
 * no construction applies. `values` is the number of values to build for. */
int algebra_array(const struct problem *p, struct table *t, int strength, int values,
                  const int *params, int count);

/* The fewest tests any set needs: a lower bound. */
size_t algebra_lower_bound(const struct problem *p);

#endif
