/* Work items of a search in the order of a bound, as they stand on a tape: those of one execution share one
 * record, with its steps, run-length coded, and the positions where other threads could have run instead. */
#ifndef EXPLORE_BOUND_RECORD_H
#define EXPLORE_BOUND_RECORD_H

#include "explore/bound/tape.h"
#include "trace/trace.h"
#include "trace/tset.h"

struct item_step {
    uint16_t pick, branch;
};

/* A decoded record. */
struct record {
    struct item_step *steps;
    uint32_t *position; /* where there are alternatives, … */
    struct tset *open;  /* … which, … */
    uint64_t *state;    /* … and in which state (cache) */
    uint32_t step_count, count, at;
    /* A position without threads stands for the values that come after its step's; this is the last one
     * tried of position begun - 1. */
    struct item_step value;
    uint32_t begun;
};

/* Room for records of so many steps; -1: there is none. */
int record_init(struct record *r, struct arena *a, uint32_t room);

/* To be written: the steps first, then the number of positions, then each of them (its distance from the
 * one before, a set, with `states` the state there). */
void record_put_steps(struct tape *to, const struct step *steps, uint32_t n);
void record_put_set(struct tape *to, const struct tset *s);

/* False: not well-formed. */
bool record_read(struct record *r, struct tape *from, uint32_t room, bool states);

#endif
