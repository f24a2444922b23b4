/* The canonical form of a sequence (001_*.txt, section 3.5): one order of its operations that depends on
 * nothing but the partial order. */
#ifndef EXPLORE_REACH_CANONICAL_H
#define EXPLORE_REACH_CANONICAL_H

#include "explore/reach/reach_seq.h"

/* Puts the completed operations into `order`, layer by layer those whose predecessors are in earlier
 * layers, by thread; returns how many. Both arrays have room for q->count. */
uint32_t reach_canonical(const struct reach_seq *q, uint32_t *order, uint32_t *scratch);

#endif
