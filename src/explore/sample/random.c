/* A random walk: at every decision each enabled thread is equally likely. The generator's state is
 * seeded afresh for every execution, which so depends on the seed and its number alone. */
#include "explore/engine.h"

struct walk {
    struct rng rng;
    uint64_t executions;
};

static int random_init(struct engine *e)
{
    e->state = arena_alloc(e->arena, sizeof(struct walk));
    return e->state ? 0 : -1;
}

static void random_begin(struct engine *e)
{
    struct walk *w = e->state;
    rng_seed(&w->rng, engine_seed(e, w->executions++));
}

static int random_choose(struct engine *e, const struct decision *d)
{
    struct walk *w = e->state;
    int n = tset_count(d->enabled);
    return n == 1 ? tset_first(d->enabled)
                  : tset_nth(d->enabled, (int)rng_below(&w->rng, (uint32_t)n));
}

static int random_branch(struct engine *e, const struct event *op, int n)
{
    return (int)rng_below(&((struct walk *)e->state)->rng, (uint32_t)n);
}

static int random_end(struct engine *e, enum outcome o)
{
    e->trace->prefix = e->trace->known = 0;
    return 1;
}

const struct engine_class engine_random = {
    .name = "random",
    .guarantee = "random schedules",
    .endless = 1,
    .strides = 1,
    .init = random_init,
    .begin = random_begin,
    .choose = random_choose,
    .branch = random_branch,
    .end = random_end,
};
