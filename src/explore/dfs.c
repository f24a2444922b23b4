/* Depth-first search over all interleavings of visible operations: the baseline everything else is
 * compared with. Nothing but the trace itself is kept: the alternatives not yet tried at a step are
 * those enabled threads (or branch values) greater than the one picked, so a step needs to remember
 * only its set of enabled threads. Memory is proportional to the longest execution.
 *
 * --depth d: decisions beyond the d-th step are not branched (the first enabled thread runs on). */
#include "explore/engine.h"

struct dfs {
    struct tset *enabled; /* [step] */
};

static int dfs_init(struct engine *e)
{
    struct dfs *d = e->state = arena_alloc(e->arena, sizeof *d);
    if (!d)
        return -1;
    d->enabled = arena_alloc(e->arena, e->trace->step_room * sizeof *d->enabled);
    return d->enabled ? 0 : -1;
}

static void dfs_begin(struct engine *e)
{
}

static int dfs_choose(struct engine *e, const struct decision *dec)
{
    struct dfs *d = e->state;
    d->enabled[e->trace->step_count] = *dec->enabled;
    return tset_first(dec->enabled);
}

static int dfs_branch(struct engine *e, const struct event *op, int n)
{
    return 0;
}

/* The next untried pick at step i, or -1. */
static int next_pick(const struct dfs *d, const struct step *s, uint32_t i)
{
    if (s->branch)
        return s->pick + 1 < s->branch ? s->pick + 1 : -1;
    return s->pick + 1 < EVENT_MAX_THREADS ? tset_next(&d->enabled[i], s->pick + 1) : -1;
}

static int dfs_end(struct engine *e, enum outcome o)
{
    struct dfs *d = e->state;
    struct trace *t = e->trace;
    uint32_t n = t->step_count;
    if (e->config->depth && n > e->config->depth)
        n = e->config->depth;
    for (; n > 0; n--) {
        int pick = next_pick(d, &t->steps[n - 1], n - 1);
        if (pick >= 0) {
            trace_retain(t, n, pick);
            return 1;
        }
    }
    return 0;
}

const struct engine_class engine_dfs = {
    .name = "dfs",
    .takes_any = 1,
    .guarantee = "every interleaving of visible operations",
    .init = dfs_init,
    .begin = dfs_begin,
    .choose = dfs_choose,
    .branch = dfs_branch,
    .end = dfs_end,
};
