/* The canonical form of an execution's Mazurkiewicz trace: of all orders of its events that respect
 * happens-before the one that is lexicographically least by thread. Two executions have the same
 * canonical sequence of events if and only if they are the same trace. For `--all-traces` and tests;
 * quadratic in the number of events, not for the hot loop. */
#ifndef TRACE_CANONICAL_H
#define TRACE_CANONICAL_H

#include "object/dependence.h"

/* Fills order[0..n) with the indices of the events in canonical order; `acts` is room for n. */
void canonical_order(const struct event *events, uint32_t n, struct act *acts, uint32_t *order);

#endif
