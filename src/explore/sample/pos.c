/* Partial order sampling (Yuan, Yang & Gu, CAV 2018): every pending operation has a random priority,
 * the highest enabled one is performed, and those that conflict with it get a new priority. Orders of
 * conflicting operations are sampled far more evenly than by a random walk. */
#include "explore/engine.h"
#include "base/ensure.h"
#include "object/dependence.h"


struct pos {
    struct rng rng; /* seeded afresh for every execution */
    uint64_t executions;
    uint64_t *priority; /* [thread], of its pending operation; 0 = none yet */
};

static int pos_init(struct engine *e)
{
    struct pos *p = e->state = arena_alloc(e->arena, sizeof *p);
    if (!p)
        return -1;
    p->priority = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *p->priority);
    e->draws = 1;
    return p->priority ? 0 : -1;
}

static void pos_begin(struct engine *e)
{
    struct pos *p = e->state;
    e->awaits = 1;
    rng_seed(&p->rng, engine_seed(e, p->executions++));
    for (int i = 0; i < EVENT_MAX_THREADS; i++)
        p->priority[i] = 0;
}

static int pos_choose(struct engine *e, const struct decision *d)
{
    struct pos *p = e->state;
    int pick = -1;
    TSET_FOR(t, d->enabled) {
        if (!p->priority[t])
            p->priority[t] = rng_next(&p->rng) | 1;
        if (pick < 0 || p->priority[t] > p->priority[pick])
            pick = t;
    }
    ensure(pick >= 0);
    struct act performed = act_of_pending(&d->next[pick]);
    TSET_FOR(t, d->live) {
        struct act other = act_of_pending(&d->next[t]);
        if (t == pick || act_dependent(&performed, &other))
            p->priority[t] = 0;
    }
    return pick;
}

static int pos_branch(struct engine *e, const struct event *op, int n)
{
    struct pos *p = e->state;
    return n & STEP_SYMBOLIC ? e->usual : (int)rng_below(&p->rng, (uint32_t)n);
}

static int pos_end(struct engine *e, enum outcome o)
{
    struct pos *p = e->state;
    engine_ends_sample(e, &p->executions);
    return 1;
}

const struct engine_class engine_pos = {
    .plain = 1,
    .guarantee = "random schedules",
    .endless = 1,
    .strides = 1,
    .inputs = 1,
    .init = pos_init,
    .begin = pos_begin,
    .choose = pos_choose,
    .branch = pos_branch,
    .end = pos_end,
};
