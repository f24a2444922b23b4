/* The In-Parameter-Order algorithm exactly as the dissertation prints it, for comparison with its
 * tables: pairs, no constraints. The generalised and improved one is ipo.h. */
#ifndef PAIRS_IPO_FIGURES_H
#define PAIRS_IPO_FIGURES_H

#include "pairs/space.h"

/* Fills the empty table; parameters are taken in the order of the model. -1 with e filled if the model
 * has constraints, relations or invalid values, or the strength is not 2. */
int ipo_figures_generate(const struct problem *p, struct table *t, struct error *e);

#endif
