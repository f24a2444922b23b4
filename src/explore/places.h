/* Which places of the program the executions reached, and which pairs of places were interleaved:
 * two dependent operations of different threads, the second the next one after the first on its
 * object. Kept in the shared memory (trace/shared.h) and counted for --coverage and --lcov only. The tables
 * are arrays that the host reads as they are, while they are written: therefore no htable. */
#ifndef EXPLORE_PLACES_H
#define EXPLORE_PLACES_H

#include "trace/shared.h"

void places_reached(struct places *p, uint64_t pc);
void places_branched(struct places *p, uint64_t pc, bool taken); /* on an input */
/* The event was just added to the trace. */
void places_observe(struct places *p, const struct trace *t, const struct event *ev);

#endif
