/* Sleep sets: per step of the execution under way the operations that need not be performed from
 * there until something dependent happens (004 chapter 2, "Sleep Sets"). The sets of the steps lie
 * on one stack: a step's set is filtered from the one before it; the deepest step's set can grow. */
#ifndef EXPLORE_SLEEP_H
#define EXPLORE_SLEEP_H

#include "explore/dpor/happens.h"

struct sleep_range {
    uint32_t first, count;
};

struct sleep {
    struct sleep_range *of_step; /* [step] */
    struct act *acts;
    uint32_t room;
    bool loose; /* some woke that need not have: what they would have performed may be repeated */
};

int sleep_init(struct sleep *s, struct engine *e);

/* The set at `step`, from the set at the step before and what that step performed; `expected`, if
 * not NULL, is what it had been expected to perform: that wakes too. */
void sleep_enter(struct sleep *s, const struct happens *h, uint32_t step,
                 const struct act *expected);

/* At the deepest step: `a` was explored. */
void sleep_add(struct sleep *s, uint32_t step, const struct act *a);

static inline const struct act *sleep_at(const struct sleep *s, uint32_t step, uint32_t *count)
{
    *count = s->of_step[step].count;
    return s->acts + s->of_step[step].first;
}

/* An empty set at `step`, behind those of the steps before it; sleep_add fills it. */
void sleep_place(struct sleep *s, uint32_t step);

/* Does the second event of the race sleep before the first, and nothing that does not happen after the first
 * conflicts with it? Then the sequence that reverses the race is explored, whatever else is in it, and need
 * not be built. False if that cannot be said so quickly. */
bool sleep_reverses(const struct sleep *s, const struct happens *h, const struct hb_race *race);

/* Marks the sleeping threads. */
void sleep_threads(const struct sleep *s, uint32_t step, struct tset *out);

#endif
