/* Depth-first search over all interleavings of visible operations: the baseline everything else is
 * compared with. Nothing but the trace itself is kept: the alternatives not yet tried at a step are
 * those enabled threads (or branch values) greater than the one picked, so a step needs to remember
 * only its set of enabled threads. Memory is proportional to the longest execution.
 *
 * --depth d: decisions beyond the d-th step are not branched (the first enabled thread runs on).
 *
 * idfs: iterative depth bounding, what iterative context bounding was compared with (PLDI 2007, sections 1
 * and 4.3): the search with depth 1, then again with 2, and so on, until no decision lies beyond. What a
 * smaller depth executed is executed again. */
#include "explore/engine.h"
#include "trace/work.h"

#include <string.h>

struct dfs {
    struct tset *enabled; /* [step] */
    uint32_t base;  /* the steps before it are not ours to change */
    uint32_t depth; /* decisions beyond it are not branched; 0 = no limit */
    bool beyond;    /* idfs: and there were some */
};

static int dfs_init(struct engine *e)
{
    struct dfs *d = e->state = arena_alloc(e->arena, sizeof *d);
    if (!d)
        return -1;
    d->depth = e->config->depth;
    d->enabled = arena_alloc(e->arena, e->trace->step_room * sizeof *d->enabled);
    return d->enabled ? 0 : -1;
}

static void dfs_begin(struct engine *e)
{
    e->awaits = e->lock_rounds = e->undoes = e->meets = e->orbits = true;
}

static int dfs_choose(struct engine *e, const struct decision *dec)
{
    struct dfs *d = e->state;
    struct tset *enabled = &d->enabled[e->trace->step_count];
    *enabled = *dec->enabled;
    TSET_FOR(t, dec->enabled)
        if (operation_is(dec->next[t].kind, OP_UNNOTICED)) {
            *enabled = (struct tset){{0}};
            tset_add(enabled, t);
            return t;
        }
    return tset_first(dec->enabled);
}

/* It was found meanwhile that the thread would only go round a loop: on to the next one. */
static int dfs_refused(struct engine *e, const struct decision *dec)
{
    const struct dfs *d = e->state;
    uint32_t step = e->trace->step_count;
    int pick = e->trace->steps[step].pick;
    if (step < d->base)
        return ENGINE_ABANDON;
    do
        pick = pick + 1 < EVENT_MAX_THREADS ? tset_next(&d->enabled[step], pick + 1) : -1;
    while (pick >= 0 && !tset_has(dec->enabled, pick));
    return pick >= 0 ? pick : ENGINE_ABANDON;
}

static int dfs_branch(struct engine *e, const struct event *op, int n)
{
    return e->usual;
}

/* The next untried pick at step i, or -1. */
static int next_pick(const struct dfs *d, const struct step *s, uint32_t i)
{
    if (s->branch)
        return step_next_value(s);
    return s->pick + 1 < EVENT_MAX_THREADS ? tset_next(&d->enabled[i], s->pick + 1) : -1;
}

static int dfs_end(struct engine *e, enum outcome o)
{
    struct dfs *d = e->state;
    struct trace *t = e->trace;
    if (e->retry && engine_takes_back(e))
        return 1;
    uint32_t n = t->step_count;
    if (d->depth && n > d->depth)
        n = d->depth;
    for (; n > d->base; n--) {
        int pick = next_pick(d, &t->steps[n - 1], n - 1);
        if (pick >= 0) {
            trace_retain(t, n, pick);
            return 1;
        }
    }
    return 0;
}

/* ---- sharing the work: nothing sleeps, and nothing is found later for an earlier step ----
 *
 *   a part    base, count, (pick, branch, SET enabled)…: all that can follow these steps, and what comes
 *             after the one picked at those from `base` on */

static void put_steps(const struct engine *e, struct work *w, uint32_t base, uint32_t n)
{
    const struct dfs *d = e->state;
    work_put(w, base);
    work_put(w, n);
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        work_put(w, e->trace->steps[i].pick);
        work_put(w, e->trace->steps[i].branch);
        work_put_set(w, &d->enabled[i]);
    }
}

/* What is left at the first step that has something left. */
static int give_part(struct engine *e, struct work *out)
{
    struct dfs *d = e->state;
    struct trace *t = e->trace;
    uint32_t step = d->base, last = d->depth && d->depth < t->prefix ? d->depth : t->prefix;
    while (step < last && next_pick(d, &t->steps[step], step) < 0)
        step++;
    if (step >= last)
        return 0;
    struct step taken = t->steps[step];
    work_begin_gift(out, false, true, 0);
    t->steps[step].pick = (uint16_t)next_pick(d, &taken, step);
    t->steps[step].branch &= (uint16_t)~STEP_OPEN;
    put_steps(e, out, step, step + 1);
    t->steps[step] = taken;
    work_end_gift(out);
    if (!out->failed)
        d->base = step + 1;
    return !out->failed;
}

static int dfs_save(struct engine *e, struct work *out)
{
    const struct dfs *d = e->state;
    work_begin(out, WORK_PART);
    work_put(out, 0);
    put_steps(e, out, d->base, e->trace->prefix);
    return !out->failed;
}

static int dfs_adopt(struct engine *e, struct work *in)
{
    struct dfs *d = e->state;
    struct trace *t = e->trace;
    d->base = t->prefix = t->known = 0;
    if (work_open(in) != WORK_PART || work_get(in))
        return -1;
    if (in->at == in->length) /* the whole search */
        return in->failed ? -1 : 0;
    uint64_t base = work_get(in), n = work_get(in);
    if (in->failed || n > t->step_room || base > n)
        return -1;
    for (uint64_t i = 0; i < n && !in->failed; i++) {
        t->steps[i] = (struct step){.pick = (uint16_t)work_get(in)};
        t->steps[i].branch = (uint16_t)work_get(in);
        d->enabled[i] = work_get_set(in);
    }
    d->base = (uint32_t)base;
    t->prefix = (uint32_t)n;
    return in->failed ? -1 : 0;
}

static int dfs_give(struct engine *e, enum engine_give why, struct work *out)
{
    if (why == GIVE_PART)
        return give_part(e, out);
    if (why == GIVE_LAST)
        work_begin_gift(out, true, false, 0);
    return why == GIVE_LAST;
}

const struct engine_class engine_dfs = {
    .states = 1, .inputs = 1,
    .plain = 1,
    .guarantee = "every interleaving of visible operations",
    .init = dfs_init,
    .begin = dfs_begin,
    .choose = dfs_choose,
    .refused = dfs_refused,
    .branch = dfs_branch,
    .end = dfs_end,
    .adopt = dfs_adopt,
    .save = dfs_save,
    .give = dfs_give,
};

/* ---- iterative depth bounding ------------------------------------------------------------------- */

static int idfs_init(struct engine *e)
{
    if (dfs_init(e))
        return -1;
    ((struct dfs *)e->state)->depth = 1;
    memset(e->bounds, 0, sizeof *e->bounds);
    e->bounds->active = e->bounds->bound = 1;
    return 0;
}

static void note_beyond(const struct engine *e, struct dfs *d)
{
    for (uint32_t i = d->depth; i < e->trace->step_count && !d->beyond; i++)
        d->beyond = next_pick(d, &e->trace->steps[i], i) >= 0;
}

static int idfs_end(struct engine *e, enum outcome o)
{
    struct dfs *d = e->state;
    uint32_t last = BOUND_STATS - 1;
    if (e->retry && engine_takes_back(e))
        return 1;
    if (o == OUTCOME_COMPLETE || o == OUTCOME_BOUND)
        e->bounds->executions[d->depth < last ? d->depth : last]++;
    note_beyond(e, d);
    if (dfs_end(e, o))
        return 1;
    if (!d->beyond || (e->config->bound >= 0 && d->depth >= (uint32_t)e->config->bound)) {
        e->bounds->finished = 1;
        e->bounds->left_over = d->beyond;
        return 0;
    }
    d->beyond = false;
    e->bounds->bound = ++d->depth;
    e->trace->prefix = e->trace->known = 0;
    return 1;
}

const struct engine_class engine_idfs = {
    .inputs = 1,
    .guarantee = "every interleaving of visible operations, most more than once",
    .bound_unit = "branching step",
    .init = idfs_init,
    .begin = dfs_begin,
    .choose = dfs_choose,
    .refused = dfs_refused,
    .branch = dfs_branch,
    .end = idfs_end,
};
