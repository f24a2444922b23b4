/* Another order for the steps of an execution that failed: the same happens-before, so the same failure,
 * but a thread goes on as long as it can. It is computed, not searched for: from thousands of switches to
 * the few that the happens-before relation asks for in one go. What did not happen before the failure is
 * left out, and threads with it. */
#ifndef EXPLORE_SHRINK_ORDER_H
#define EXPLORE_SHRINK_ORDER_H

#include "explore/dpor/happens.h"

struct shrink_order {
    struct happens hb;
    uint32_t *step;  /* steps by thread, in their order … */
    uint32_t *first; /* … [thread]: where its own begin; one more than threads */
    uint32_t *next;  /* [thread]: those that the order has so far */
    int32_t *needed;   /* [thread]: up to which time it is needed */
    uint16_t *order, *best; /* threads, step by step: under way; with the fewest switches */
    uint32_t count, best_count, best_switches;
};

int shrink_order_init(struct shrink_order *o, struct engine *e);
static inline void shrink_order_begin(struct shrink_order *o)
{
    hb_begin(&o->hb);
}

static inline void shrink_order_observe(struct shrink_order *o, const struct event *ev)
{
    hb_observe(&o->hb, ev);
}

/* After the first execution, of which `steps` steps count: threads of a new order in o->best. `goal`: the
 * threads that the failure is about, whose past alone is wanted; empty: all steps. 0 if there is none. */
uint32_t shrink_order_make(struct shrink_order *o, const struct engine *e, uint32_t steps,
                           const struct tset *goal);

#endif
