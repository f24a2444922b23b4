/* Optimal DPOR in several workers: portions of the search with the coordinator
 * (explore/share/portion.h), or the states above them in memory that all share
 * (explore/share/grove.h). */
#include "explore/dpor/optimal_impl.h"

#include "base/ensure.h"

static bool waits(const struct engine *e, uint32_t step)
{
    return ((const struct optimal *)e->state)->wakeup.of_step[step];
}

static void put_tree(const struct engine *e, uint32_t step, struct work *w)
{
    ensure(step < e->trace->step_room);
    const struct wakeup *trees = &((const struct optimal *)e->state)->wakeup;
    wakeup_put(trees, trees->of_step[step], w);
}

static void get_tree(struct engine *e, uint32_t step, struct work *w)
{
    ensure(step < e->trace->step_room);
    struct wakeup *trees = &((struct optimal *)e->state)->wakeup;
    wakeup_get(trees, &trees->of_step[step], w);
}

static void put_next(const struct engine *e, struct work *w)
{
    const struct optimal *o = e->state;
    work_put(w, o->expecting);
    work_put_act(w, &o->expected);
    wakeup_put(&o->wakeup, o->cursor, w);
}

static void get_next(struct engine *e, struct work *w)
{
    struct optimal *o = e->state;
    o->expecting = work_get(w);
    o->expected = work_get_act(w);
    wakeup_get(&o->wakeup, &o->cursor, w);
}

static struct portion_view view(struct optimal *o)
{
    return (struct portion_view){.portion = &o->portion, .hb = &o->hb, .sleep = &o->sleep,
                                 .estimate = &o->estimate, .enabled = o->enabled, .waits = waits,
                                 .put_list = put_tree, .get_list = get_tree,
                                 .put_next = put_next, .get_next = get_next};
}

PORTION_ENGINE(optimal_portion)

int optimal_split(struct engine *e, struct work *out)
{
    return optimal_portion_split(e, out);
}

int optimal_report(struct engine *e, int done, struct work *out)
{
    const struct optimal *o = e->state;
    if (!e->box)
        return optimal_portion_report(e, done, out);
    tell_done(e, &o->path, o->estimate.executions);
    return 1;
}

/* What all know now of the way to our leaf. It may have been left before that, while others were there. */
static int look_up(struct engine *e, struct work *in)
{
    struct optimal *o = e->state;
    if (work_open(in) != WORK_ANSWER)
        return -1;
    uint64_t leaf = work_get(in);
    if (in->failed)
        return -1;
    o->path.count = 0;
    grove_path(e->grove, &o->path, (uint32_t)leaf);
    if (o->path.count > o->portion.base)
        grove_cut(e->grove, &o->path, o->portion.base);
    o->stale = false;
    return 0;
}

int optimal_learn(struct engine *e, struct work *in)
{
    return e->box ? look_up(e, in) : optimal_portion_learn(e, in);
}

/* ---- with the states above a portion in shared memory ---- */

bool optimal_put_choice(struct engine *e, uint32_t step, int values)
{
    struct optimal *o = e->state;
    if (!e->box)
        return grove_put_choice(e->grove, e->member, &o->path, step, values, e->usual);
    if (!grove_foresee_choice(e->grove, &o->path, step))
        return false;
    tell_choice(e, o->path.told, step, values);
    o->stale = true;
    return true;
}

uint32_t optimal_leaf(const struct engine *e)
{
    const struct optimal *o = e->state;
    return o->stale ? 0 : e->box ? o->path.told : o->path.leaf;
}

void optimal_leave(struct engine *e)
{
    ((struct optimal *)e->state)->path.count = 0;
}

int optimal_save(struct engine *e, struct work *out)
{
    struct optimal *o = e->state;
    if (e->grove)
        o->portion.frame = optimal_leaf(e);
    return optimal_portion_save(e, out);
}

/* Of the last execution what is on the way to the leaf is kept. */
int optimal_adopt(struct engine *e, struct work *in)
{
    struct optimal *o = e->state;
    struct trace *t = e->trace;
    if (optimal_portion_adopt(e, in))
        return -1;
    if (!e->grove)
        return 0;
    o->estimate.executions = o->estimate.samples = o->estimate.next_sample = 0;
    uint32_t common = grove_path(e->grove, &o->path, (uint32_t)o->portion.frame);
    o->stale = o->left = false;
    if (o->portion.frame) /* otherwise a split that is not known to all yet */
        o->portion.base = o->estimate.base = o->path.count;
    if (t->prefix || !common)
        return 0;
    struct wakeup_step last = grove_step(e->grove, o->path.nodes[common - 1]);
    trace_retain(t, common, optimal_follow(o, &last));
    return 0;
}

static struct wakeup_step taken(void *engine, uint32_t step, bool *performed)
{
    const struct engine *e = engine;
    const struct optimal *o = e->state;
    const struct step *s = &e->trace->steps[step];
    uint32_t k = o->hb.of_step[step];
    struct wakeup_step n = {.pick = s->pick, .branch = step_kind(s),
                            .act = {.thread = s->pick % EVENT_MAX_THREADS, .role = ROLE_NONE}};
    *performed = s->event < e->trace->known && k != HB_NONE;
    if (*performed)
        n.act = o->hb.entries[k].act;
    else if (step + 1 == e->trace->prefix && o->expecting)
        n.act = o->expected;
    return n;
}

static const struct act *asleep(void *engine, uint32_t step, uint32_t *count)
{
    const struct optimal *o = ((const struct engine *)engine)->state;
    return sleep_at(&o->sleep, step, count);
}

int optimal_grow(struct engine *e, void (*commit)(void *ctx, uint32_t leaf), void *ctx)
{
    ensure(e->grove != NULL);
    struct optimal *o = e->state;
    uint32_t last = o->portion.base;
    while (last < e->trace->prefix && !o->wakeup.of_step[last])
        last++;
    if (last >= e->trace->prefix || !grove_has_room(e->grove, 0))
        return 0;
    uint32_t waiting = o->wakeup.of_step[last];
    struct grove_split s = {.member = e->member, .path = &o->path, .trees = &o->wakeup, .last = last,
                            .waiting = waiting, .taken = taken, .asleep = asleep, .ctx = e,
                            .commit = commit, .commit_ctx = ctx};
    if (e->box && !tell_split(e, &s))
        return 0;
    o->stale = e->box != NULL;
    o->wakeup.of_step[last] = 0;
    o->portion.base = o->estimate.base = last + 1;
    if (!e->box)
        grove_split(e->grove, &s);
    wakeup_drop(&o->wakeup, &waiting);
    return 1;
}
