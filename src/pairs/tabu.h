/* Shrinking a complete table of tests by local search. */
#ifndef PAIRS_TABU_H
#define PAIRS_TABU_H

#include "base/rng.h"
#include "pairs/cover.h"

struct tabu_options {
    double deadline;    /* progress_now() when to stop, 0: none */
    uint64_t work;      /* stop after about this many counter look-ups, 0: no limit */
    size_t goal;        /* stop at this many rows: a lower bound */
    volatile int *stop; /* stop when this becomes nonzero (may be NULL) */
    void (*tell)(void *context, size_t rows, size_t uncovered); /* now and then; may be NULL */
    void *context;
};

/* Replaces t by a smaller complete table whenever it finds one; t is complete at all times and
 * never grows. The cover must describe t. */
void tabu_shrink(struct cover *c, struct table *t, struct rng *rng, const struct tabu_options *o);

#endif
