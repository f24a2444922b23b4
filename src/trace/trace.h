/* The trace of the execution under way, in memory that outlives the tested program (shared with
 * the host): the decisions taken (steps) and what happened (events).
 *
 * An engine steers the next execution by keeping the first `prefix` steps; the runtime follows them
 * without asking, and compares the first `known` events with what happens now: a difference is a
 * divergence. Events from `known` on are handed to the engine as they happen. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "trace/event.h"

struct step {
    uint16_t pick;   /* thread, or the value of a branch */
    uint16_t branch; /* 0: a scheduling decision; n > 0: a branch with n possible values */
    uint32_t event;  /* number of events when the decision was taken */
};

/* A branch on a value that depends on an input has two sides; the flags stand in struct step.branch. */
#define STEP_SYMBOLIC 0x4000u
#define STEP_OPEN 0x8000u /* the side not taken is possible, and was not tried yet */
#define STEP_FREE 0x2000u /* both sides are possible */
#define STEP_SIDES (STEP_SYMBOLIC | 2u)
/* The last step of a livelock: the `pick` steps before it were the same as the `pick` before them. */
#define STEP_ROUND 0x1000u

/* How many values there were, without what is known of the other side. */
static inline uint16_t step_kind(const struct step *s)
{
    return s->branch & STEP_SYMBOLIC ? STEP_SIDES : s->branch;
}

/* The next value of a branch to be tried, after the one that was taken; -1 if there is none. */
static inline int step_next_value(const struct step *s)
{
    if (__builtin_expect(s->branch & STEP_SYMBOLIC, 0))
        return s->branch & STEP_OPEN ? s->pick ^ 1 : -1;
    return s->pick + 1 < s->branch ? s->pick + 1 : -1;
}

struct trace {
    struct step *steps;
    struct event *events;
    uint32_t step_count, event_count; /* of the execution under way, or of the last one */
    uint32_t step_room, event_room;
    uint32_t prefix; /* steps to be followed at the start of the next execution */
    uint32_t known;  /* events of that prefix whose record is still valid */
};

/* Keeps steps[0..n) with the last one changed to `pick`; n ≥ 1. */
static inline void trace_retain(struct trace *t, uint32_t n, int pick)
{
    t->prefix = n;
    t->known = t->steps[n - 1].event;
    t->steps[n - 1].pick = (uint16_t)pick;
    if (__builtin_expect(t->steps[n - 1].branch & STEP_SYMBOLIC, 0))
        t->steps[n - 1].branch &= (uint16_t)~STEP_OPEN;
}

#endif
