/* What to do about a search that was too large: where its interleavings come from, and what a bound or
 * another engine would cost, by short trials of them. */
#ifndef HOST_ADVICE_H
#define HOST_ADVICE_H

#include "host/gather.h"

/* Fills r->advice, lines for a reader. r is filled otherwise; the names are those of the program. */
void advice_give(const struct gather *g, struct report *r, struct names *n);

#endif
