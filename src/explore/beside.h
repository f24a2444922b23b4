/* A second search beside the one under way, execution by execution: icb, without a bound at which it
 * ends. Both use the trace; what each follows in its next execution is kept aside while the other has it.
 * It only ever adds executions: what the first search stands for does not depend on it. */
#ifndef EXPLORE_BESIDE_H
#define EXPLORE_BESIDE_H

#include "explore/engine.h"

struct beside {
    struct engine engine;
    struct run_config config;
    struct bound_stats bounds;
    struct limits limits;
    struct trace aside; /* what it follows in its next execution */
    bool made, over;    /* it has its memory; it came to its end or to a limit */
    bool on;            /* it is wanted */
    bool runs;          /* this execution is its own */
    uint32_t done;      /* executions since the first search's last one */
};

extern const struct engine_class engine_icb;

/* From now on it is wanted, as far as it can be had. */
void beside_start(struct beside *b, const struct engine *e);

/* The next execution is its own: what the first search follows goes to `first`. */
void beside_enter(struct beside *b, struct engine *e, struct trace *first);
/* … was: the other way round. What it has come to goes to e->bounds if that is further than before. */
void beside_leave(struct beside *b, struct engine *e, const struct trace *first, enum outcome o);

/* A trace with the same room as e->trace; -1 if there is no memory. */
int beside_make_trace(struct trace *t, const struct engine *e);
void beside_put(struct trace *to, const struct trace *from); /* what is followed next */

#endif
