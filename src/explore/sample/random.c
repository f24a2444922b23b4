/* A random walk: at every decision each enabled thread is equally likely. The generator's state is
 * seeded afresh for every execution, which so depends on the seed and its number alone. */
#include "explore/engine.h"

#include <signal.h>
#include <stdlib.h>

struct random_walk {
    struct rng rng;
    uint64_t executions;
    uint64_t crash_in, crash_by; /* decisions, and a signal: for tests of what then happens */
};

static int random_init(struct engine *e)
{
    struct random_walk *w = e->state = arena_alloc(e->arena, sizeof *w);
    if (!w)
        return -1;
    w->crash_in = engine_option(e, "crash_in", 0);
    w->crash_by = engine_option(e, "crash_by", SIGSEGV);
    e->draws = 1;
    return 0;
}

static void random_begin(struct engine *e)
{
    struct random_walk *w = e->state;
    e->awaits = 1;
    rng_seed(&w->rng, engine_seed(e, w->executions++));
}

static void crash(const struct random_walk *w)
{
    if (w->crash_by == SIGABRT)
        abort();
    volatile int *volatile nowhere = NULL;
    *nowhere = 0;
}

static int random_choose(struct engine *e, const struct decision *d)
{
    struct random_walk *w = e->state;
    if (w->crash_in && !--w->crash_in)
        crash(w);
    int n = tset_count(d->enabled);
    return n == 1 ? tset_first(d->enabled)
                  : tset_nth(d->enabled, (int)rng_below(&w->rng, (uint32_t)n));
}

static int random_branch(struct engine *e, const struct event *op, int n)
{
    if (n & STEP_SYMBOLIC)
        return e->usual;
    return (int)rng_below(&((struct random_walk *)e->state)->rng, (uint32_t)n);
}

static int random_end(struct engine *e, enum outcome o)
{
    struct random_walk *w = e->state;
    engine_ends_sample(e, &w->executions);
    return 1;
}

const struct engine_class engine_random = {
    .plain = 1,
    .guarantee = "random schedules",
    .endless = 1,
    .strides = 1,
    .inputs = 1,
    .settings = "crash_in crash_by",
    .init = random_init,
    .begin = random_begin,
    .choose = random_choose,
    .branch = random_branch,
    .end = random_end,
};
