/* The engines that keep a set of threads to try per step.
 *
 * dpor     Flanagan–Godefroid with one clock per object (003 figure 2): every two accesses to the
 *          same object are dependent. For a race (e, e2) the thread of e2 is tried before e if it is
 *          enabled there (as in Flanagan and Godefroid's own figure), otherwise all that are.
 * dpor-cr  the same with commuting reads (003 figure 3): a write races with the reads since the last
 *          write, a read with the last write only.
 *          --sleep=on for both: operations explored sleep (004 chapter 2); where the thread to be
 *          tried sleeps, all that are enabled and awake are tried (end of that chapter).
 * source   Source-DPOR (JACM 2017, Algorithm 1): one initial of v = notdep(e, E).e2 is tried before e,
 *          unless one of them was tried or sleeps already.
 *
 * Values of branches are tried one after the other. */
#include "explore/dpor/backtrack_impl.h"

#include "base/ensure.h"

static int init(struct engine *e, enum mode mode)
{
    struct backtrack *b = e->state = arena_alloc(e->arena, sizeof *b);
    size_t bytes = e->trace->step_room * sizeof *b->enabled;
    if (!b)
        return -1;
    b->mode = mode;
    b->sleeping = mode == MODE_SOURCE || e->config->sleep;
    b->random = engine_option(e, "random", 0);
    b->let_sleep = b->sleeping && engine_option(e, "let_sleep", 0);
    if (b->let_sleep)
        e->incomplete = "with --set let_sleep=1 threads that sleep are not tried where they should be, so "
                        "behaviours may be missing";
    rng_seed(&b->rng, e->config->seed);
    b->enabled = arena_alloc(e->arena, bytes);
    b->todo = arena_alloc(e->arena, bytes);
    b->done = arena_alloc(e->arena, bytes);
    if (!b->enabled || !b->todo || !b->done || hb_init(&b->hb, e) || sleep_init(&b->sleep, e) ||
        rev_init(&b->rev, e) || estimate_init(&b->estimate, e) || wakeup_init(&b->offer, e) ||
        portion_init(&b->portion, e))
        return -1;
    b->hb.all_conflict = mode == MODE_DPOR;
    return 0;
}

static int dpor_init(struct engine *e)
{
    return init(e, MODE_DPOR);
}

static int dpor_cr_init(struct engine *e)
{
    return init(e, MODE_DPOR_CR);
}

static int source_init(struct engine *e)
{
    return init(e, MODE_SOURCE);
}

static void backtrack_begin(struct engine *e)
{
    struct backtrack *b = e->state;
    hb_begin(&b->hb);
    if (!b->retrying) {
        b->fresh = b->hb.kept;
        b->fresh_races = b->hb.race_kept;
    }
    b->retrying = false;
    e->awaits = e->lock_rounds = e->undoes = e->meets = e->orbits = true;
}

static struct tset asleep_at(const struct backtrack *b, uint32_t step)
{
    struct tset asleep = {{0}};
    if (b->sleep.of_step[step].count)
        sleep_threads(&b->sleep, step, &asleep);
    return asleep;
}

static void enter(struct backtrack *b, uint32_t step)
{
    b->hb.of_step[step] = HB_NONE;
    sleep_enter(&b->sleep, &b->hb, step, NULL);
    estimate_enter(&b->estimate, step);
    b->todo[step] = b->done[step] = (struct tset){{0}};
}

static int any_of(struct backtrack *b, const struct tset *threads)
{
    return tset_nth(threads, (int)rng_below(&b->rng, (uint32_t)tset_count(threads)));
}

/* Any that is awake; who has given way does not go on. */
static int draw(struct backtrack *b, const struct decision *d, const struct tset *asleep)
{
    struct tset awake = *d->enabled;
    for (int i = 0; i < TSET_WORDS; i++)
        awake.w[i] &= ~asleep->w[i];
    if (tset_empty(&awake) || (d->last >= 0 && d->next[d->last].flags & EVENT_YIELDED))
        return decision_free(d, asleep);
    return any_of(b, &awake);
}

static int pick_free(struct backtrack *b, const struct engine *e, const struct decision *d,
                     const struct tset *asleep)
{
    int looks = __builtin_expect(e->lessons && e->lessons->count, 0) ? decision_look(d, asleep) : -1;
    return looks >= 0 ? looks : b->random ? draw(b, d, asleep) : decision_free(d, asleep);
}

/* What others have taken or will take at this step of the path sleeps; the step that leads to our leaf. */
static __attribute__((cold)) struct wakeup_step follow(struct engine *e, uint32_t step)
{
    struct backtrack *b = e->state;
    if (b->sleeping)
        grove_elders(e->grove, &b->portion.path, &b->sleep, step);
    return grove_step(e->grove, b->portion.path.nodes[step]);
}

static int backtrack_refused(struct engine *e, const struct decision *d);

static int backtrack_choose(struct engine *e, const struct decision *d)
{
    struct backtrack *b = e->state;
    uint32_t step = e->trace->step_count;
    enter(b, step);
    b->enabled[step] = *d->enabled;
    if (__builtin_expect(step < b->portion.path.count, 0)) {
        struct wakeup_step next = follow(e, step);
        return !next.branch && tset_has(d->enabled, next.pick) ? next.pick : backtrack_refused(e, d);
    }
    struct tset asleep = asleep_at(b, step);
    int pick = pick_free(b, e, d, &asleep);
    if (pick >= 0)
        tset_add(&b->done[step], pick);
    if (__builtin_expect(b->hb.overflow, 0))
        return ENGINE_ABANDON;
    return pick;
}

static int backtrack_branch(struct engine *e, const struct event *op, int n)
{
    struct backtrack *b = e->state;
    uint32_t step = e->trace->step_count;
    enter(b, step);
    return step < b->portion.path.count ? follow(e, step).pick : e->usual;
}

static void backtrack_observe(struct engine *e, const struct event *ev)
{
    hb_observe(&((struct backtrack *)e->state)->hb, ev);
}

static bool tried(const struct engine *e, uint32_t step, int thread)
{
    const struct backtrack *b = e->state;
    struct tset one = {{0}};
    if (__builtin_expect(step >= b->portion.path.count, 1))
        return tset_has(&b->todo[step], thread) || tset_has(&b->done[step], thread);
    tset_add(&one, thread);
    return grove_has_thread(e->grove, &b->portion.path, step, &one);
}

static void try_thread(struct engine *e, uint32_t step, int thread)
{
    struct backtrack *b = e->state;
    ensure(thread >= 0 && thread < EVENT_MAX_THREADS);
    if (__builtin_expect(step >= b->portion.path.count, 1)) {
        tset_add(&b->todo[step], thread);
        return;
    }
    struct grove_thread t = {.act = {.thread = (uint8_t)thread, .role = ROLE_NONE}};
    tset_add(&t.any, thread);
    portion_try(e, &b->portion, step, &t);
}

static void try_all(struct engine *e, uint32_t step)
{
    const struct backtrack *b = e->state;
    struct tset asleep = asleep_at(b, step);
    TSET_FOR(t, &b->enabled[step])
        if (!tset_has(&asleep, t) && !tried(e, step, t))
            try_thread(e, step, t);
}

/* 003 figures 2 and 3, lines 7 to 11 and 10 to 15. */
static void try_second(struct engine *e, uint32_t step, const struct hb_race *race)
{
    const struct backtrack *b = e->state;
    ensure(race->first < race->second);
    int thread = b->hb.entries[race->second].act.thread;
    struct tset asleep = asleep_at(b, step);
    if (b->let_sleep && tset_has(&asleep, thread))
        return;
    if (!tset_has(&b->enabled[step], thread) || tset_has(&asleep, thread))
        try_all(e, step);
    else if (!tried(e, step, thread))
        try_thread(e, step, thread);
}

/* Source-DPOR: some initial of v, unless one of them is there. */
static void try_initial(struct engine *e, uint32_t step)
{
    struct backtrack *b = e->state;
    struct tset asleep = asleep_at(b, step), seen = {{0}}, initials = {{0}};
    const struct rev_item *pick = NULL;
    rev_restore(&b->rev, &b->hb);
    for (uint32_t i = 0; i < b->rev.count; i++) {
        const struct rev_item *it = &b->rev.items[i];
        int thread = it->act.thread;
        if (it->branch || tset_has(&seen, thread))
            continue;
        tset_add(&seen, thread);
        if (!rev_initial(&b->rev, &b->hb, i))
            continue;
        if (tried(e, step, thread) || tset_has(&asleep, thread))
            return;
        tset_add(&initials, thread);
        if (tset_has(&b->enabled[step], thread))
            pick = it;
    }
    if (!pick)
        try_all(e, step);
    else if (__builtin_expect(step >= b->portion.path.count, 1))
        tset_add(&b->todo[step], pick->act.thread);
    else
        portion_try(e, &b->portion, step, &(struct grove_thread){initials, pick->act, grove_certain(pick)});
}

static inline __attribute__((always_inline)) void reverse_race(struct engine *e, const struct hb_race *race)
{
    struct backtrack *b = e->state;
    uint32_t step = b->hb.entries[race->first].step;
    const struct hb_entry *second = &b->hb.entries[race->second];
    if (!tset_has(&b->enabled[step], second->act.thread) && hb_cannot(&b->hb, race))
        return;
    if (rev_goes_round(&b->hb, race, e))
        return;
    if (b->mode != MODE_SOURCE)
        try_second(e, step, race);
    else if (rev_build(&b->rev, &b->hb, race,
                       second->step == HB_NONE ? e->trace->step_count : second->step))
        try_initial(e, step);
}

static void try_wait(struct engine *e, const struct hb_race *race)
{
    struct backtrack *b = e->state;
    uint32_t step = b->hb.entries[race->first].step;
    if (b->mode == MODE_SOURCE)
        try_initial(e, step);
    else
        try_second(e, step, race);
}

/* Where a wait may have come depends on what came later, too. */
static void reverse_robberies(struct engine *e)
{
    struct backtrack *b = e->state;
    for (uint32_t i = 0; i < b->hb.count; i++) {
        struct hb_race race = {.second = i, .settled = HB_NONE};
        bool wait = b->hb.entries[i].flags & HB_ENDABLE;
        if (i < b->fresh && !wait)
            continue;
        while ((race.first = hb_robber(&b->hb, i, race.first, b->enabled)))
            if (wait)
                rev_each_wait(e, &b->rev, &b->hb, &race, try_wait);
            else
                reverse_race(e, &race);
    }
}

/* What a thread was about to do races too, above all where it was blocked: also at the end of an
 * execution that was given up. */
static void find_alternatives(struct engine *e)
{
    struct backtrack *b = e->state;
    TSET_FOR(t, e->live)
        hb_pending(&b->hb, &e->next[t]);
    for (uint32_t i = b->fresh_races; i < b->hb.race_count; i++) {
        engine_works(e, i);
        reverse_race(e, &b->hb.races[i]);
    }
    if (b->hb.robbed)
        reverse_robberies(e);
}

/* The next thing to try at a step that is the deepest one left; -1 if there is none. */
static int next_pick(struct backtrack *b, const struct step *s, uint32_t step)
{
    ensure(!s->branch || s->pick < s->branch);
    if (s->branch)
        return step_next_value(s);
    if (tset_empty(&b->todo[step]))
        return -1;
    if (b->sleeping && b->hb.of_step[step] != HB_NONE)
        sleep_add(&b->sleep, step, &b->hb.entries[b->hb.of_step[step]].act);
    int pick = b->random ? any_of(b, &b->todo[step]) : tset_first(&b->todo[step]);
    tset_remove(&b->todo[step], pick);
    tset_add(&b->done[step], pick);
    return pick;
}

/* The thread to be tried at this step cannot go on there, and may have stood for others: all are tried.
 * Another worker may be given some of them without knowing what sleeps there by then. */
static void try_others(struct engine *e, uint32_t step)
{
    struct backtrack *b = e->state;
    try_all(e, step);
    if (step >= b->portion.path.count)
        return;
    b->portion.path.nothing = true;
    engine_repeats(e);
}

static int backtrack_refused(struct engine *e, const struct decision *d)
{
    struct backtrack *b = e->state;
    uint32_t step = e->trace->step_count;
    hb_leave(&b->hb);
    b->enabled[step] = *d->enabled;
    try_others(e, step);
    if (step < b->portion.path.count || tset_empty(&b->todo[step]))
        return ENGINE_ABANDON;
    int pick = tset_first(&b->todo[step]);
    tset_remove(&b->todo[step], pick);
    tset_add(&b->done[step], pick);
    return pick;
}

/* The last step was none. True: the same execution again, with another one there. Otherwise it was there
 * to be tried, and may have stood for others. */
static bool take_back(struct engine *e)
{
    struct backtrack *b = e->state;
    struct trace *t = e->trace;
    uint32_t step = t->step_count - 1;
    b->hb.of_step[step] = HB_NONE;
    b->retrying = engine_takes_back(e) && step >= b->portion.path.count;
    if (b->retrying)
        return true;
    tset_remove(&b->enabled[step], t->steps[step].pick);
    try_others(e, step);
    return false;
}

static __attribute__((cold)) void confirm(struct engine *e)
{
    struct portion_view v = backtrack_portion(e);
    portion_confirm(&v);
}

static int backtrack_end(struct engine *e, enum outcome outcome)
{
    struct backtrack *b = e->state;
    struct trace *t = e->trace;
    bool retry = e->retry;
    if (outcome == OUTCOME_DIVERGED)
        return 0;
    if (retry && take_back(e))
        return 1;
    if (!retry)
        find_alternatives(e);
    if (b->sleep.loose || b->rev.instead)
        engine_repeats(e);
    if (b->portion.path.executed < b->portion.path.count)
        confirm(e);
    b->estimate.executions++;
    for (uint32_t n = t->step_count; n > b->portion.base; n--) {
        int pick = next_pick(b, &t->steps[n - 1], n - 1);
        if (pick >= 0) {
            estimate_finish(&b->estimate, n - 1);
            trace_retain(t, n, pick);
            return 1;
        }
    }
    return 0;
}

static uint32_t waiting(const struct engine *e, uint32_t step)
{
    const struct backtrack *b = e->state;
    const struct step *s = &e->trace->steps[step];
    if (s->branch & STEP_SYMBOLIC)
        return step_next_value(s) >= 0;
    return s->branch ? s->branch - 1u - s->pick : (uint32_t)tset_count(&b->todo[step]);
}

static void backtrack_estimate(const struct engine *e, struct engine_estimate *out)
{
    estimate_now(&((struct backtrack *)e->state)->estimate, e, waiting, out);
}

#define BACKTRACK_ENGINE(symbol, how_often)                                                         \
    const struct engine_class engine_##symbol = {                                                  \
        .inputs = 1,                                                                               \
        .sections = 1,                                                                             \
        .guarantee = "every Mazurkiewicz trace",                                                   \
        .times = how_often,                                                                        \
        .settings = "random let_sleep",                                                            \
        .needs_ends = 1,                                                                           \
        .init = symbol##_init,                                                                     \
        .begin = backtrack_begin,                                                                  \
        .choose = backtrack_choose,                                                                \
        .refused = backtrack_refused,                                                              \
        .branch = backtrack_branch,                                                                \
        .observe = backtrack_observe,                                                              \
        .end = backtrack_end,                                                                      \
        .estimate = backtrack_estimate,                                                            \
        .portion = backtrack_portion,                                                              \
        .adopt = backtrack_adopt,                                                                  \
        .save = backtrack_save,                                                                    \
    }

BACKTRACK_ENGINE(dpor, TIMES_AT_LEAST_ONCE);
BACKTRACK_ENGINE(dpor_cr, TIMES_AT_LEAST_ONCE);
BACKTRACK_ENGINE(source, TIMES_ONCE);
