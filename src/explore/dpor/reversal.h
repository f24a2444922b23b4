/* From a race to the sequence that reverses it: v = notdep(e, E).e2 of JACM 2017, Algorithm 2 —
 * everything after e that does not happen after e, then e2 — as steps a scheduler can take, branch
 * values included. */
#ifndef EXPLORE_REVERSAL_H
#define EXPLORE_REVERSAL_H

#include "explore/dpor/happens.h"

struct rev_item {
    struct act act;
    uint32_t entry;        /* HB_NONE for the reversed event: it was never performed like this */
    uint16_t pick, branch; /* as in struct step */
    uint16_t gone;         /* taken out while inserting into a wakeup tree */
    uint8_t kept;          /* rev_shorten: the sequence cannot do without it */
    uint8_t certain;       /* of a sequence that was fed (farm/feed.h): it will perform what it says */
    uint32_t next;         /* of the same thread, + 1 */
};

struct reversal {
    struct rev_item *items;
    uint32_t count;
    uint32_t start, left; /* first item not gone; how many are not */
    uint32_t *way;        /* nodes of a wakeup tree that were entered on the way to where it belongs, */
    uint32_t way_count;
    bool fed;      /* it was not built here: happens-before is what came with it */
    bool arrivals; /* the last but one at a barrier is among them */
    bool instead;  /* in some sequence so far: what a thread does if it is not woken by what woke it */
    uint32_t second; /* entry of the reversed event (the last item); HB_NONE: a branch */
    /* Set by rev_restore: per thread its first item that is not gone (+ 1) and that one's time (never,
     * for the reversed event: nothing in r happens after it); which words and objects r may touch. */
    uint32_t first[EVENT_MAX_THREADS];
    vtime times[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint64_t objects, written; /* written: by what is not a read */
};

int rev_init(struct reversal *r, struct engine *e);

/* Steps up to `end` that do not happen after `first`, then `second`. False if the second event
 * cannot happen there. */
bool rev_build(struct reversal *r, const struct happens *h, const struct hb_race *race,
               uint32_t end);

/* The same where the second event is a wait that can be ended (HB_ENDABLE): what its thread does in the
 * place of it may be another operation. It may have come before the first event in several places: `try` is
 * called for each, with the sequence built. */
void rev_each_wait(struct engine *e, struct reversal *r, const struct happens *h, const struct hb_race *race,
                   void (*try)(struct engine *, const struct hb_race *));

/* Steps from `step` to `end` that do not happen after entry e, appended. Takes out item i and everything that
 * happens after it. */
void rev_append_independent(struct reversal *r, const struct happens *h, uint32_t e, uint32_t step,
                            uint32_t end);
void rev_remove_after(struct reversal *r, const struct happens *h, uint32_t i);
/* Arrivals are independent, so r may have some without others that came before them, but after entry `first`:
 * then more are missing after it than were. So are those who take the first places of a port. For those who
 * have hb_is_counted() roles. */
void rev_recount(struct reversal *r, const struct happens *h, uint32_t first);

/* Is the second event a look of a loop that would only go round with what it reads before the first? */
bool rev_goes_round(const struct happens *h, const struct hb_race *race, const struct engine *e);

/* The role of a compare-exchange that came after entry `first`, had it come before it, at the end of r:
 * would it find what it expects (reversal_value.c)? */
uint8_t rev_cas_role(const struct reversal *r, const struct happens *h, uint32_t first,
                     const struct event *cas);

/* For the choice taken at branch step `step`: value `pick` instead, then what does not depend on
 * it. */
void rev_build_branch(struct reversal *r, const struct happens *h, uint32_t step, int pick);

/* Nothing is gone; to be called before all below. */
void rev_restore(struct reversal *r, const struct happens *h);
void rev_take(struct reversal *r, const struct happens *h, uint32_t item);

/* Is the first of what is left a step of the thread (not a value chosen within one)? It is an initial of r,
 * and the thread's next step, whatever that was expected to be. */
static inline bool rev_begins_with(const struct reversal *r, uint32_t thread)
{
    return r->first[thread] == r->start + 1 && !r->items[r->start].branch;
}

/* Is the thread of a one of the first in r (nothing in r before it happens before it), or, if it has
 * no step in r, is `a` independent of all of r: a weak initial. Gives the index of its step, -1 if
 * it has none. */
bool rev_weak_initial(const struct reversal *r, const struct happens *h, const struct act *a,
                      int *index);

/* That the item is an initial of r stays true, whatever comes later in the execution, as long as the
 * entries up to the one returned are kept; HB_NONE if that cannot be said. */
uint32_t rev_stable(const struct reversal *r, const struct happens *h, uint32_t item);

/* Must item a come before item b > a of r? */
bool rev_precedes(const struct reversal *r, const struct happens *h, uint32_t a, uint32_t b);

/* Is the item's step preceded by nothing in r? */
bool rev_initial(const struct reversal *r, const struct happens *h, uint32_t item);

/* Of what is left of r, which belongs at the end of a list of a wakeup tree, only the part is explored
 * that makes the difference: what must come before the reversed event (or the other value), and before
 * whatever wakes those that sleep there. It begins with rev_keep_aim, rev_keep_waker for each sleeper; then
 * what is not needed is gone. */
void rev_keep_aim(struct reversal *r);
void rev_keep_waker(struct reversal *r, const struct act *sleeper);
void rev_shorten(struct reversal *r, const struct happens *h);

#endif
