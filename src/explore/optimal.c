/* Optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: "Source Sets: A Foundation for Optimal Dynamic
 * Partial Order Reduction", JACM 2017, Algorithm 2): each Mazurkiewicz trace exactly once, and no
 * execution given up as redundant.
 *
 * At the end of an execution E every race (e, e2) gives a sequence v = notdep(e, E).e2 for the state
 * before e — also a race between events of the prefix shared with the last execution, since v
 * depends on what came after (leaving these out loses 12 of the 135,135 traces of sigma(7)); only
 * where it is known to be covered as long as the prefix stays is it passed over. If no sleeping
 * operation there is a weak initial of v, v is inserted into the wakeup tree of that state. The next
 * execution keeps the longest prefix below which a wakeup tree has a sequence left, follows that, and
 * then goes on freely.
 *
 * A choice (raddle_choose, which waiter a signal wakes) is treated like a race with each of its other
 * values: the value, then what does not depend on the choice, is inserted where the choice was made.
 *
 * Whether a blocked thread can go on in v is known beforehand for locks and the like; for what depends
 * on several objects (poll, a loop that looks at several variables, a wait that can be cancelled) it is
 * known only when it cannot. Where v does not lead on, everything that is awake is tried instead.
 *
 * A leaf of a tree stands for everything that can follow, which holds because v wakes all that
 * slept. If its last event turns out weaker than the records let expect, the expected one wakes. */
#include "explore/portion.h"
#include "explore/wakeup.h"

struct optimal {
    struct happens hb;
    struct sleep sleep;
    struct wakeup wakeup;
    struct reversal rev;
    struct estimate estimate;
    struct portion portion;
    struct tset *enabled; /* [step] */
    struct act expected;  /* what the step under way should perform, if expecting */
    bool expecting;
    uint32_t cursor;      /* what the wakeup tree says about the next step */
    uint32_t fresh;       /* first step of this execution that was not in its prefix */
    uint64_t inserted;
};

static int optimal_init(struct engine *e)
{
    struct optimal *o = e->state = arena_alloc(e->arena, sizeof *o);
    if (!o)
        return -1;
    o->enabled = arena_alloc(e->arena, e->trace->step_room * sizeof *o->enabled);
    if (!o->enabled || hb_init(&o->hb, e) || sleep_init(&o->sleep, e) ||
        wakeup_init(&o->wakeup, e) || rev_init(&o->rev, e) || estimate_init(&o->estimate, e) ||
        portion_init(&o->portion, e))
        return -1;
    return 0;
}

static void optimal_begin(struct engine *e)
{
    struct optimal *o = e->state;
    hb_begin(&o->hb);
    o->fresh = e->trace->prefix;
}

static void enter(struct optimal *o, uint32_t step)
{
    o->hb.of_step[step] = HB_NONE;
    sleep_enter(&o->sleep, &o->hb, step, o->expecting ? &o->expected : NULL);
    estimate_enter(&o->estimate, step);
    o->wakeup.of_step[step] = o->cursor;
    o->cursor = 0;
}

/* A thread that may go on: the running one, if it can, else the first. */
static int pick_free(struct optimal *o, uint32_t step, const struct decision *d)
{
    struct tset asleep = {{0}};
    if (o->sleep.of_step[step].count)
        sleep_threads(&o->sleep, step, &asleep);
    if (d->last >= 0 && tset_has(d->enabled, d->last) && !tset_has(&asleep, d->last))
        return d->last;
    TSET_FOR(t, d->enabled)
        if (!tset_has(&asleep, t))
            return t;
    return ENGINE_ABANDON;
}

static int follow(struct optimal *o, const struct wakeup_node *n)
{
    o->expected = n->act;
    o->expecting = !n->branch;
    return n->pick;
}

/* A sequence does not lead to its leaf, because the program came to another choice: from here on all
 * is ours. */
static void cut_short(struct optimal *o, uint32_t step)
{
    if (step < o->portion.base)
        o->portion.base = o->estimate.base = step;
}

static void drop(struct optimal *o, uint32_t step)
{
    wakeup_drop(&o->wakeup, &o->wakeup.of_step[step]);
    cut_short(o, step);
}

/* A sequence cannot be followed at this step; since it may have covered others, all that can go on is
 * tried. */
static void try_all(struct optimal *o, uint32_t step, const struct decision *d)
{
    struct tset there = {{0}};
    sleep_threads(&o->sleep, step, &there);
    for (uint32_t n = o->wakeup.of_step[step]; n; n = o->wakeup.nodes[n].next)
        tset_add(&there, o->wakeup.nodes[n].pick);
    TSET_FOR(t, d->enabled)
        if (!tset_has(&there, t))
            wakeup_append(&o->wakeup, &o->wakeup.of_step[step], act_of_pending(&d->next[t]));
    cut_short(o, step);
}

static int follow_tree(struct optimal *o, uint32_t step, const struct decision *d)
{
    uint32_t *tree = &o->wakeup.of_step[step];
    while (*tree) {
        struct wakeup_node n = wakeup_take(&o->wakeup, tree, &o->cursor);
        if (tset_has(d->enabled, n.pick))
            return follow(o, &n);
        wakeup_drop(&o->wakeup, &o->cursor);
        try_all(o, step, d);
    }
    return ENGINE_ABANDON;
}

static int optimal_choose(struct engine *e, const struct decision *d)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count, *tree = &o->wakeup.of_step[step];
    enter(o, step);
    o->enabled[step] = *d->enabled;
    if (*tree && o->wakeup.nodes[*tree].branch)
        drop(o, step);
    if (*tree)
        return follow_tree(o, step, d);
    o->expecting = false;
    return o->hb.overflow ? ENGINE_ABANDON : pick_free(o, step, d);
}

static int optimal_refused(struct engine *e, const struct decision *d)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count;
    o->enabled[step] = *d->enabled;
    o->expecting = false;
    wakeup_drop(&o->wakeup, &o->cursor);
    try_all(o, step, d);
    return follow_tree(o, step, d);
}

static int optimal_branch(struct engine *e, const struct event *op, int n)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count, *tree = &o->wakeup.of_step[step];
    enter(o, step);
    o->expecting = false;
    if (*tree && o->wakeup.nodes[*tree].branch == n)
        return wakeup_take(&o->wakeup, tree, &o->cursor).pick;
    drop(o, step);
    return 0;
}

static void optimal_observe(struct engine *e, const struct event *ev)
{
    hb_observe(&((struct optimal *)e->state)->hb, ev);
}

/* sleep(E') ∩ WI(v) ≠ ∅: v was explored from there already. */
static bool sleeps(struct optimal *o, uint32_t step, uint32_t *settled)
{
    uint32_t n;
    const struct act *a = sleep_at(&o->sleep, step, &n);
    int index;
    for (uint32_t i = 0; i < n; i++)
        if (rev_weak_initial(&o->rev, &o->hb, &a[i], &index)) {
            *settled = index < 0 ? HB_NONE : rev_stable(&o->rev, &o->hb, (uint32_t)index);
            return true;
        }
    return false;
}

/* Returns the entry up to which the trace must be kept for v to be covered, HB_NONE if unknown. */
static uint32_t insert(struct optimal *o, uint32_t step)
{
    uint32_t settled = HB_NONE;
    rev_restore(&o->rev, &o->hb);
    if (sleeps(o, step, &settled))
        return settled;
    if (step < o->portion.base) {
        if (wakeup_covers(&o->wakeup, &o->hb, &o->rev, &o->wakeup.of_step[step], &settled))
            return settled;
        portion_add(&o->portion, &o->hb, &o->rev, step, false);
        return HB_NONE;
    }
    if (!wakeup_insert(&o->wakeup, &o->hb, &o->rev, &o->wakeup.of_step[step], &settled))
        return settled;
    o->inserted++;
    return HB_NONE;
}

static inline __attribute__((always_inline)) void reverse_race(struct engine *e, struct hb_race *race)
{
    struct optimal *o = e->state;
    uint32_t step = o->hb.entries[race->first].step;
    const struct hb_entry *second = &o->hb.entries[race->second];
    if (race->settled < o->hb.kept)
        return;
    race->settled = HB_NONE;
    if (!tset_has(&o->enabled[step], second->act.thread) && hb_waited(&o->hb, race) &&
        !hb_may_go_on(&o->hb, race))
        return;
    if (rev_build(&o->rev, &o->hb, race, e->trace->step_count))
        race->settled = insert(o, step);
}

static void other_values(struct engine *e, uint32_t step)
{
    struct optimal *o = e->state;
    const struct step *s = &e->trace->steps[step];
    if (o->hb.of_step[step] == HB_NONE)
        return;
    for (int value = 0; value < s->branch; value++) {
        if (value == s->pick)
            continue;
        rev_build_branch(&o->rev, &o->hb, step, value);
        insert(o, step);
    }
}

static __attribute__((noinline)) void reverse_robberies(struct engine *e)
{
    struct optimal *o = e->state;
    for (uint32_t i = 0; i < o->hb.count; i++) {
        struct hb_race race = {.second = i};
        while ((race.first = hb_robber(&o->hb, i, race.first, o->enabled))) {
            race.settled = HB_NONE;
            reverse_race(e, &race);
        }
    }
}

static void find_alternatives(struct engine *e, enum outcome outcome)
{
    struct optimal *o = e->state;
    if (outcome != OUTCOME_ABANDONED)
        TSET_FOR(t, e->live)
            hb_pending(&o->hb, &e->next[t]);
    for (uint32_t i = 0; i < o->hb.race_count; i++)
        reverse_race(e, &o->hb.races[i]);
    if (__builtin_expect(o->hb.robbed, 0))
        reverse_robberies(e);
    for (uint32_t step = o->fresh; step < e->trace->step_count; step++)
        if (e->trace->steps[step].branch)
            other_values(e, step);
}

/* When a portion is done: the copies of what others explore. */
static void forget_trees(struct optimal *o)
{
    for (uint32_t step = 0; step < o->portion.base; step++)
        wakeup_drop(&o->wakeup, &o->wakeup.of_step[step]);
}

static int optimal_end(struct engine *e, enum outcome outcome)
{
    struct optimal *o = e->state;
    struct trace *t = e->trace;
    if (outcome == OUTCOME_DIVERGED)
        return 0;
    wakeup_drop(&o->wakeup, &o->cursor);
    find_alternatives(e, outcome);
    o->estimate.executions++;
    for (uint32_t step = t->step_count; step-- > o->portion.base;) {
        uint32_t *tree = &o->wakeup.of_step[step];
        if (!*tree)
            continue;
        if (!t->steps[step].branch)
            sleep_add(&o->sleep, step, &o->hb.entries[o->hb.of_step[step]].act);
        estimate_finish(&o->estimate, step);
        struct wakeup_node n = wakeup_take(&o->wakeup, tree, &o->cursor);
        trace_retain(t, step + 1, follow(o, &n));
        return 1;
    }
    forget_trees(o);
    return 0;
}

static uint32_t waiting(const struct engine *e, uint32_t step)
{
    const struct wakeup *w = &((const struct optimal *)e->state)->wakeup;
    uint32_t n = 0;
    for (uint32_t node = w->of_step[step]; node; node = w->nodes[node].next)
        n++;
    return n;
}

static void optimal_estimate(const struct engine *e, struct engine_estimate *out)
{
    estimate_now(&((struct optimal *)e->state)->estimate, e, waiting, out);
}

static bool waits(const struct engine *e, uint32_t step)
{
    return ((const struct optimal *)e->state)->wakeup.of_step[step];
}

static void put_tree(const struct engine *e, uint32_t step, struct work *w)
{
    const struct wakeup *trees = &((const struct optimal *)e->state)->wakeup;
    wakeup_put(trees, trees->of_step[step], w);
}

static void get_tree(struct engine *e, uint32_t step, struct work *w)
{
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

PORTION_ENGINE(optimal)

const struct engine_class engine_optimal = {
    .name = "optimal",
    .guarantee = "every Mazurkiewicz trace, exactly once",
    .init = optimal_init,
    .begin = optimal_begin,
    .choose = optimal_choose,
    .refused = optimal_refused,
    .branch = optimal_branch,
    .observe = optimal_observe,
    .end = optimal_end,
    .estimate = optimal_estimate,
    .split = optimal_split,
    .adopt = optimal_adopt,
    .save = optimal_save,
    .report = optimal_report,
    .learn = optimal_learn,
};
