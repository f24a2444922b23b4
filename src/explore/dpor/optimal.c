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
 * slept. If its last event turns out weaker than the records let expect, the expected one wakes. (Not so
 * for an atomic section of which is not known what it will touch: to wake all would repeat much. Who it does
 * not wake goes on sleeping, and a leaf that someone may sleep at stands only for what leads to it, see
 * ends_open in wakeup.c. A sequence whose thread turns out to sleep was explored.) */
#include "explore/dpor/optimal_impl.h"

#include "base/ensure.h"

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
    if (!o->retrying)
        o->fresh = e->trace->prefix;
    e->awaits = e->lock_rounds = e->undoes = e->meets = e->orbits = true;
    o->looks = e->lessons && e->lessons->count;
    o->last_first = e->box != NULL;
}

static void enter(struct optimal *o, uint32_t step)
{
    o->hb.of_step[step] = HB_NONE;
    sleep_enter(&o->sleep, &o->hb, step, o->expecting ? &o->expected : NULL);
    estimate_enter(&o->estimate, step);
    o->wakeup.of_step[step] = o->cursor;
    o->cursor = 0;
}

static __attribute__((noinline)) int pick_otherwise(struct optimal *o, const struct decision *d,
                                                    struct tset *asleep)
{
    int looks = o->looks ? decision_look(d, asleep) : -1;
    return looks >= 0 ? looks : o->last_first ? decision_free_last(d, asleep) : decision_free(d, asleep);
}

static inline __attribute__((always_inline)) int pick_free(struct optimal *o, uint32_t step,
                                                           const struct decision *d)
{
    struct tset asleep = {{0}};
    if (o->sleep.of_step[step].count)
        sleep_threads(&o->sleep, step, &asleep);
    bool usual = __builtin_expect(!(o->looks | o->last_first), 1);
    return usual ? decision_free(d, &asleep) : pick_otherwise(o, d, &asleep);
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
    o->loose |= o->wakeup.of_step[step] != 0;
    wakeup_drop(&o->wakeup, &o->wakeup.of_step[step]);
    cut_short(o, step);
}

/* What an atomic section touches in another place may be known only when it was there. So a sequence that
 * was explored already may not have been seen to be: its thread sleeps there. False: no other one is left,
 * and the search is free again. */
static __attribute__((noinline, cold)) bool take_awake(struct optimal *o, uint32_t step,
                                                       struct wakeup_step *n)
{
    struct tset asleep = {{0}};
    sleep_threads(&o->sleep, step, &asleep);
    return wakeup_take_awake(&o->wakeup, &o->wakeup.of_step[step], &o->cursor, &asleep, n);
}

static inline bool take(struct optimal *o, uint32_t step, struct wakeup_step *n)
{
    if (__builtin_expect(o->hb.sections != NULL, 0))
        return take_awake(o, step, n);
    *n = wakeup_take(&o->wakeup, &o->wakeup.of_step[step], &o->cursor);
    return true;
}

static int follow_tree(struct optimal *o, uint32_t step, const struct decision *d);

/* The sequence taken last does not lead on from this step. It may have covered others, so the search is
 * free here; beside further sequences every thread that is awake gets one. */
static int go_another_way(struct optimal *o, uint32_t step, const struct decision *d)
{
    struct tset there = {{0}};
    uint32_t *tree = &o->wakeup.of_step[step];
    wakeup_drop(&o->wakeup, &o->cursor);
    cut_short(o, step);
    o->expecting = false;
    o->loose = true;
    if (!*tree)
        return pick_free(o, step, d);
    sleep_threads(&o->sleep, step, &there);
    for (uint32_t n = *tree; n; n = o->wakeup.nodes[n].next)
        tset_add(&there, o->wakeup.nodes[n].pick);
    TSET_FOR(t, d->enabled)
        if (!tset_has(&there, t))
            wakeup_append(&o->wakeup, tree, act_of_pending(&d->next[t]), (uint16_t)t, 0);
    return follow_tree(o, step, d);
}

static int follow_tree(struct optimal *o, uint32_t step, const struct decision *d)
{
    struct wakeup_step n;
    ensure(o->wakeup.of_step[step] != 0);
    if (!take(o, step, &n)) {
        o->expecting = false;
        return pick_free(o, step, d);
    }
    return tset_has(d->enabled, n.pick) ? optimal_follow(o, &n) : go_another_way(o, step, d);
}

/* Gives the next step of the path, unless the program came to another choice; threads: NULL for a
 * value. */
static bool on_path(struct engine *e, uint32_t step, const struct tset *threads, int values,
                    struct wakeup_step *n)
{
    struct optimal *o = e->state;
    if (step >= o->portion.path.count)
        return false;
    *n = (struct wakeup_step){.act.role = ROLE_NONE, .branch = (uint16_t)values};
    if (o->portion.path.nodes[step])
        *n = grove_step(e->grove, o->portion.path.nodes[step]);
    if (n->branch == values && (values || tset_has(threads, n->pick))) {
        grove_elders(e->grove, &o->portion.path, &o->sleep, step);
        return true;
    }
    if (values && optimal_put_choice(e, step, values)) {
        o->portion.base = o->estimate.base = o->portion.path.count;
        grove_elders(e->grove, &o->portion.path, &o->sleep, step);
        *n = (struct wakeup_step){.act.role = ROLE_NONE, .pick = (uint16_t)e->usual,
                                  .branch = (uint16_t)values};
        return true;
    }
    optimal_leave_path(e, step);
    return false;
}

static int optimal_refused(struct engine *e, const struct decision *d)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count;
    hb_leave(&o->hb);
    if (step < o->portion.path.count)
        optimal_leave_path(e, step);
    o->enabled[step] = *d->enabled;
    return go_another_way(o, step, d);
}

static int optimal_choose(struct engine *e, const struct decision *d)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count, *tree = &o->wakeup.of_step[step];
    if (__builtin_expect(o->retrying, 0)) {
        o->retrying = false;
        return optimal_refused(e, d);
    }
    enter(o, step);
    o->enabled[step] = *d->enabled;
    struct wakeup_step next;
    if (on_path(e, step, d->enabled, 0, &next))
        return optimal_follow(o, &next);
    if (*tree && o->wakeup.nodes[*tree].branch)
        drop(o, step);
    if (*tree)
        return follow_tree(o, step, d);
    o->expecting = false;
    if (__builtin_expect(o->hb.overflow, 0))
        return ENGINE_ABANDON;
    return pick_free(o, step, d);
}

static int optimal_branch(struct engine *e, const struct event *op, int n)
{
    ensure(n > 0);
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count, *tree = &o->wakeup.of_step[step];
    enter(o, step);
    o->expecting = false;
    struct wakeup_step next;
    if (on_path(e, step, NULL, n, &next))
        return next.pick;
    if (*tree && o->wakeup.nodes[*tree].branch == n) {
        if (wakeup_take_value(&o->wakeup, tree, e->usual, &o->cursor))
            return e->usual; /* of values it does not matter which is first; this one can be had */
        return wakeup_take(&o->wakeup, tree, &o->cursor).pick;
    }
    drop(o, step);
    return e->usual;
}

/* A sequence was placed below a side that its other branches exclude. */
static void optimal_misled(struct engine *e, int usual)
{
    struct optimal *o = e->state;
    uint32_t step = e->trace->step_count - 1;
    wakeup_drop(&o->wakeup, &o->cursor);
    if (step < o->portion.path.count)
        grove_cut(e->grove, &o->portion.path, step);
    if (!wakeup_take_value(&o->wakeup, &o->wakeup.of_step[step], usual, &o->cursor))
        cut_short(o, step);
}

static void optimal_observe(struct engine *e, const struct event *ev)
{
    if (!hb_can_wait(ev))
        hb_observe(&((struct optimal *)e->state)->hb, ev);
}

/* sleep(E') ∩ WI(v) ≠ ∅: v was explored from there already. */
static __attribute__((flatten)) bool sleeps(struct optimal *o, uint32_t step, uint32_t *settled)
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

/* What the step performed that is to be reversed; NULL for a choice. */
static const struct act *own_act(const struct engine *e, uint32_t step)
{
    const struct happens *h = &((const struct optimal *)e->state)->hb;
    return e->trace->steps[step].branch || h->of_step[step] == HB_NONE ? NULL
                                                                      : &h->entries[h->of_step[step]].act;
}

/* Returns the entry up to which the trace must be kept for v to be covered, HB_NONE if unknown. */
static uint32_t insert(struct engine *e, uint32_t step)
{
    ensure(step < e->trace->step_room);
    struct optimal *o = e->state;
    uint32_t settled = HB_NONE;
    rev_restore(&o->rev, &o->hb);
    /* What a symbolic branch leads to if it goes the other way is not known from this execution. */
    if (!(o->rev.items[0].branch & STEP_SYMBOLIC) && sleeps(o, step, &settled))
        return settled;
    struct wakeup_sleepers asleep = {.own = own_act(e, step)};
    asleep.acts = sleep_at(&o->sleep, step, &asleep.count);
    if (step < o->portion.path.count && e->box)
        return tell_insert(e, &o->portion.path, &o->hb, &o->rev, step, &asleep, &settled) ? HB_NONE : settled;
    if (step < o->portion.path.count)
        return grove_insert(e->grove, e->member, &o->portion.path, &o->hb, &o->rev, step, &asleep, &settled)
                   ? HB_NONE
                   : settled;
    if (!wakeup_insert(&o->wakeup, &o->hb, &o->rev, &o->wakeup.of_step[step], &asleep, &settled))
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
    __builtin_prefetch(&o->wakeup.nodes[o->wakeup.of_step[step]]); /* trees can be large */
    if (!tset_has(&o->enabled[step], second->act.thread) && hb_cannot(&o->hb, race))
        return;
    if (sleep_reverses(&o->sleep, &o->hb, race))
        race->settled = race->second;
    else if (!rev_goes_round(&o->hb, race, e) && rev_build(&o->rev, &o->hb, race, e->trace->step_count))
        race->settled = insert(e, step);
}

/* Where nothing sleeps there is nothing to be woken: the side alone is the sequence. */
static void other_side(struct engine *e, uint32_t step)
{
    struct optimal *o = e->state;
    const struct step *s = &e->trace->steps[step];
    if (!(s->branch & STEP_OPEN))
        return;
    rev_build_branch(&o->rev, &o->hb, step, s->pick ^ 1);
    if (!o->sleep.of_step[step].count)
        o->rev.count = 1;
    insert(e, step);
}

static void other_values(struct engine *e, uint32_t step)
{
    ensure(step < e->trace->step_count);
    struct optimal *o = e->state;
    const struct step *s = &e->trace->steps[step];
    if (o->hb.of_step[step] == HB_NONE)
        return;
    if (s->branch & STEP_SYMBOLIC) {
        other_side(e, step);
        return;
    }
    for (int value = 0; value < s->branch; value++) {
        if (value == s->pick)
            continue;
        rev_build_branch(&o->rev, &o->hb, step, value);
        insert(e, step);
    }
}

static void insert_wait(struct engine *e, const struct hb_race *race)
{
    insert(e, ((struct optimal *)e->state)->hb.entries[race->first].step);
}

static void reverse_robbery(struct engine *e, struct hb_race *race)
{
    struct optimal *o = e->state;
    if (o->hb.entries[race->second].flags & HB_ENDABLE)
        rev_each_wait(e, &o->rev, &o->hb, race, insert_wait);
    else
        reverse_race(e, race);
}

static __attribute__((noinline)) void reverse_robberies(struct engine *e)
{
    struct optimal *o = e->state;
    uint32_t i = hb_search_robberies(&o->hb, o->enabled);
    for (uint32_t k = 0; k < o->hb.robbery_count; k++)
        reverse_robbery(e, &o->hb.robberies[k]);
    for (; i < o->hb.count; i++) {
        struct hb_race race = {.second = i};
        while ((race.first = hb_robber(&o->hb, i, race.first, o->enabled))) {
            race.settled = HB_NONE;
            reverse_robbery(e, &race);
        }
    }
}

static void find_alternatives(struct engine *e)
{
    struct optimal *o = e->state;
    TSET_FOR(t, e->live) {
        hb_pending(&o->hb, &e->next[t]);
        o->loose |= operation_is(e->next[t].kind, OP_WOKEN);
    }
    for (uint32_t i = 0; i < o->hb.race_count; i++) {
        engine_works(e, i);
        reverse_race(e, &o->hb.races[i]);
    }
    if (__builtin_expect(o->hb.robbed, 0))
        reverse_robberies(e);
    for (uint32_t step = o->fresh; step < e->trace->step_count; step++)
        if (e->trace->steps[step].branch &&
            (step >= o->portion.path.count || !grove_known(e->grove, &o->portion.path, step)))
            other_values(e, step);
}

/* Are all asleep who could go on at the step instead of the one who took it? (If nobody could, the
 * execution ends there, and what the threads wait for matters.) */
static bool leads_nowhere(struct optimal *o, uint32_t step, int taken)
{
    struct tset asleep = {{0}}, others = o->enabled[step];
    tset_remove(&others, taken);
    if (o->wakeup.of_step[step] || step < o->portion.path.count || tset_empty(&others))
        return false;
    sleep_threads(&o->sleep, step, &asleep);
    TSET_FOR(t, &others)
        if (!tset_has(&asleep, t))
            return false;
    return true;
}

/* The last step was none: up to there once more, unless that would be all. Its sequence, if it was
 * one, does not lead on. */
static int retry(struct engine *e)
{
    struct optimal *o = e->state;
    struct trace *t = e->trace;
    t->prefix = e->retry - 1;
    t->known = t->steps[t->prefix].event;
    o->hb.of_step[t->prefix] = HB_NONE;
    e->retry = 0;
    o->retrying = !leads_nowhere(o, t->prefix, t->steps[t->prefix].pick);
    if (o->retrying)
        return 1;
    t->step_count = t->prefix;
    t->event_count = t->known;
    hb_begin(&o->hb);
    cut_short(o, t->prefix);
    return 0;
}

static int optimal_end(struct engine *e, enum outcome outcome)
{
    struct optimal *o = e->state;
    struct trace *t = e->trace;
    if (outcome == OUTCOME_DIVERGED)
        return 0;
    if (e->retry && retry(e))
        return 1;
    if (o->retrying) { /* nobody else could go on there */
        wakeup_drop(&o->wakeup, &o->wakeup.of_step[t->step_count]);
        o->retrying = false;
    }
    wakeup_drop(&o->wakeup, &o->cursor);
    if (t->step_count < o->portion.path.count) {
        optimal_leave_path(e, t->step_count);
    }
    find_alternatives(e);
    if (__builtin_expect(e->grove != NULL, 0))
        optimal_tell_path(e);
    if (o->loose || o->rev.instead || o->sleep.loose || (e->grove && grove_stats(e->grove).overlaps))
        engine_repeats(e);
    o->estimate.executions++;
    for (uint32_t step = t->step_count; step-- > o->portion.base;) {
        struct wakeup_step n;
        if (!o->wakeup.of_step[step])
            continue;
        if (!t->steps[step].branch)
            sleep_add(&o->sleep, step, &o->hb.entries[o->hb.of_step[step]].act);
        if (!take(o, step, &n))
            continue;
        estimate_finish(&o->estimate, step);
        trace_retain(t, step + 1, optimal_follow(o, &n));
        if (__builtin_expect(o->portion.left, 0))
            optimal_tell_place(e);
        return 1;
    }
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

const struct engine_class engine_optimal = {
    .inputs = 1,
    .sections = 1,
    .guarantee = "every Mazurkiewicz trace",
    .times = TIMES_ONCE,
    .never_gives_up = 1,
    .needs_ends = 1,
    .init = optimal_init,
    .begin = optimal_begin,
    .choose = optimal_choose,
    .refused = optimal_refused,
    .branch = optimal_branch,
    .misled = optimal_misled,
    .observe = optimal_observe,
    .end = optimal_end,
    .estimate = optimal_estimate,
    .portion = optimal_portion,
    .adopt = optimal_adopt,
    .save = optimal_save,
};
