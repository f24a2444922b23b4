/* Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi & Nagarakatte, ASPLOS 2010).
 * Threads have random priorities and the highest enabled one runs; at d-1 random steps the running
 * thread's priority drops below all others. A bug of depth d in a program of n threads and k steps
 * shows in an execution with a probability of at least 1 / (n k^(d-1)).
 *
 * k is the longest execution seen so far (with -j: by this worker). A thread that yields drops below
 * all others too: otherwise one that waits by yielding would keep those it waits for from running. */
#include "explore/engine.h"

#include "base/ensure.h"


enum { PCT_DEPTH = 64 };

struct pct {
    struct rng rng; /* seeded afresh for every execution */
    uint64_t executions;
    uint64_t *priority; /* [thread]; 0 = not seen yet in this execution */
    uint32_t change[PCT_DEPTH];
    uint32_t depth, longest;
    uint64_t below; /* priority of the next thread that yields */
};

#define PRIORITY_FIRST (1ull << 63)
#define PRIORITY_CHANGE (1ull << 62) /* after a change point: this, less its number */
#define PRIORITY_YIELD (1ull << 61)

static int pct_init(struct engine *e)
{
    struct pct *p = e->state = arena_alloc(e->arena, sizeof *p);
    if (!p)
        return -1;
    p->priority = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *p->priority);
    e->draws = 1;
    p->depth = e->config->pct_depth ? e->config->pct_depth : 3;
    ensure(p->depth <= PCT_DEPTH);
    p->longest = 1;
    return p->priority ? 0 : -1;
}

static void pct_begin(struct engine *e)
{
    struct pct *p = e->state;
    e->awaits = 1;
    rng_seed(&p->rng, engine_seed(e, p->executions++));
    for (int i = 0; i < EVENT_MAX_THREADS; i++)
        p->priority[i] = 0;
    for (uint32_t i = 1; i < p->depth; i++)
        p->change[i] = rng_below(&p->rng, p->longest);
    p->below = PRIORITY_YIELD;
}

static int highest(struct pct *p, const struct tset *enabled)
{
    int best = -1;
    TSET_FOR(t, enabled) {
        if (!p->priority[t])
            p->priority[t] = PRIORITY_FIRST | rng_next(&p->rng);
        if (best < 0 || p->priority[t] > p->priority[best])
            best = t;
    }
    ensure(best >= 0);
    return best;
}

static int pct_choose(struct engine *e, const struct decision *d)
{
    struct pct *p = e->state;
    uint32_t step = e->trace->step_count;
    if (d->last >= 0 && tset_has(d->enabled, d->last) && !decision_holds(d))
        p->priority[d->last] = p->below--;
    int pick = highest(p, d->enabled);
    for (uint32_t i = 1; i < p->depth; i++)
        if (p->change[i] == step) {
            p->priority[pick] = PRIORITY_CHANGE - i;
            pick = highest(p, d->enabled);
        }
    return pick;
}

static int pct_branch(struct engine *e, const struct event *op, int n)
{
    struct pct *p = e->state;
    return n & STEP_SYMBOLIC ? e->usual : (int)rng_below(&p->rng, (uint32_t)n);
}

static int pct_end(struct engine *e, enum outcome o)
{
    struct pct *p = e->state;
    if (e->trace->step_count > p->longest && !e->retry)
        p->longest = e->trace->step_count;
    engine_ends_sample(e, &p->executions);
    return 1;
}

const struct engine_class engine_pct = {
    .plain = 1,
    .guarantee = "random schedules",
    .endless = 1,
    .strides = 1,
    .inputs = 1,
    .init = pct_init,
    .begin = pct_begin,
    .choose = pct_choose,
    .branch = pct_branch,
    .end = pct_end,
};
