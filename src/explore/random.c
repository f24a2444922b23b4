/* A random walk: at every decision each enabled thread is equally likely. The generator's state is
 * the only state, so an execution depends on the seed and its number alone. */
#include "explore/engine.h"

static int random_init(struct engine *e)
{
    struct rng *r = e->state = arena_alloc(e->arena, sizeof *r);
    if (!r)
        return -1;
    rng_seed(r, e->config->seed);
    return 0;
}

static void random_begin(struct engine *e)
{
}

static int random_choose(struct engine *e, const struct decision *d)
{
    int n = tset_count(d->enabled);
    return n == 1 ? tset_first(d->enabled)
                  : tset_nth(d->enabled, (int)rng_below(e->state, (uint32_t)n));
}

static int random_branch(struct engine *e, const struct event *op, int n)
{
    return (int)rng_below(e->state, (uint32_t)n);
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
    .init = random_init,
    .begin = random_begin,
    .choose = random_choose,
    .branch = random_branch,
    .end = random_end,
};
