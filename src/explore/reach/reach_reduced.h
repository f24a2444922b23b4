/* Reductions that keep every behaviour: variants that are equivalent to one seen before are not run.
 * What is said here of a variant holds of any set of operations of a sequence that is closed under
 * happened-before. */
#ifndef EXPLORE_REACH_REDUCED_H
#define EXPLORE_REACH_REDUCED_H

#include "explore/reach/reach_table.h"

#include "trace/event.h"

struct reach_equivalence {
    bool pv;       /* the order of posts does not matter, nor that of a post and a wait that was served by
                      the initial tokens */
    bool messages; /* of a uniform port, which message is received */
    bool symmetry; /* which of interchangeable threads does what */
    const uint8_t *uniform;   /* [port] */
    uint64_t group[EVENT_MAX_THREADS]; /* interchangeable threads have the same, 0: with nobody */
    uint16_t *map;            /* [thread]: scratch */
    uint64_t *state;          /* [object][2]: scratch */
};

/* A number that two arranged variants (of any sequences) have in common if they are equivalent, and by
 * chance one in 2^64 if not. */
uint64_t reach_class_of(const struct reach_equivalence *e, const struct reach_seq *q,
                        const struct reach_table *t);

#endif
