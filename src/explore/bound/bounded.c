/* Searches in the order of a bound: iterative context bounding (icb: Musuvathi & Qadeer, PLDI 2007,
 * algorithm 1) and its sibling, delay bounding (idb: Emmi, Qadeer & Rakamaric, POPL 2011).
 *
 * An execution of bound c is one with exactly c preemptions. It consists of a work item — a prefix
 * that ends with the c-th preemption — and of what follows without further preemptions: the running
 * thread goes on while it can; when it cannot, or has given way, every enabled thread is tried, depth
 * first. At each decision where the running thread could go on, running another one instead is a
 * work item of the next bound. Every execution is executed exactly once.
 *
 * The work items of one execution share one record in the queue: its steps, run-length coded, and
 * the positions with the threads that could have run there instead. Queues are tapes (tape.h): one is
 * read, the next bound's is written.
 *
 * idb: the scheduler is deterministic (the running thread goes on; otherwise the next enabled one in
 * the order of creation, cyclically); a delay passes over the thread whose turn it is. A work item
 * delays the last decision of its prefix; one that delays it twice is made from the first one's
 * execution, so a queue of the next bound is all that is needed here too.
 *
 * --cache: the table of algorithm 1 with state caching. A work item is a pair (state, thread); the
 * state is the happens-before signature of the prefix. A pair that was searched before is not searched
 * again: as the search goes in order of the bound, it was reached with at most as many preemptions then.
 *
 * probe: the first execution and each single preemption of it, to the newest thread first: a small
 * part of bound 1 that shows many bugs within a few executions (auto.c). */
#include "explore/bound/bounded_impl.h"

#include "base/ensure.h"
#include "explore/bound/stats.h"

#include <string.h>

enum { SCRATCH = 64 << 20 }; /* bytes at most, of one execution's records */

static int alloc_arrays(struct engine *e, struct bound_search *b)
{
    uint32_t room = e->trace->step_room;
    b->open = arena_alloc(e->arena, room * sizeof *b->open);
    b->free = arena_alloc(e->arena, room);
    b->state = arena_alloc(e->arena, room * sizeof *b->state);
    b->stats = e->bounds ? e->bounds : arena_alloc(e->arena, sizeof *b->stats);
    return b->open && b->free && b->state && b->stats ? record_init(&b->record, e->arena, room) : -1;
}

static int bounded_init(struct engine *e)
{
    struct bound_search *b = e->state = arena_alloc(e->arena, sizeof *b);
    const struct run_config *c = e->config;
    uint64_t room = engine_memory(e) / (c->cache ? 4 : 2);
    if (!b || alloc_arrays(e, b) || fair_init(&b->fair, e->arena))
        return -1;
    for (int i = 0; i < 2; i++)
        if (tape_init(&b->tapes[i], e->arena, room, &c->spill_fd, (uint64_t)i << 42))
            return -1;
    if (c->jobs > 1 && tape_init(&b->scratch, e->arena, SCRATCH, &c->spill_fd, 2ull << 42))
        return -1;
    b->now = &b->tapes[0];
    b->next = &b->tapes[1];
    b->last_bound = c->bound >= 0 ? (uint32_t)c->bound : UINT32_MAX;
    memset(b->stats, 0, sizeof *b->stats);
    b->stats->active = 1;
    b->limits = e->limits;
    return 0;
}

static int icb_init(struct engine *e)
{
    struct bound_search *b;
    if (bounded_init(e))
        return -1;
    b = e->state;
    b->cache = e->config->cache;
    if (!b->cache)
        return 0;
    uint64_t bytes = engine_memory(e) / 4;
    return signature_init(&b->signature, e) || keyset_init(&b->searched, e->arena, bytes) ||
                   keyset_init(&b->states, e->arena, bytes)
               ? -1
               : 0;
}

static int idb_init(struct engine *e)
{
    if (bounded_init(e))
        return -1;
    ((struct bound_search *)e->state)->kind = DELAYS;
    return 0;
}

static int probe_init(struct engine *e)
{
    struct bound_search *b;
    if (bounded_init(e))
        return -1;
    b = e->state;
    b->kind = PROBE;
    b->last_bound = 1;
    b->stats->active = 0;
    return 0;
}

static void bounded_begin(struct engine *e)
{
    struct bound_search *b = e->state;
    fair_begin(&b->fair);
    b->chosen = e->trace->prefix;
    if (b->cache)
        signature_begin(&b->signature);
    e->awaits = e->lock_rounds = e->undoes = e->orbits = 1;
}

static void bounded_observe(struct engine *e, const struct event *ev)
{
    struct bound_search *b = e->state;
    if (b->cache)
        signature_observe(&b->signature, ev);
}

/* ---- the cache ---------------------------------------------------------------------------------- */

static uint64_t pair(uint64_t state, int thread)
{
    ensure(thread >= 0);
    return signature_mix(state, (uint64_t)thread + 1);
}

/* At a new decision: notes the state and drops what was searched from it. */
static void drop_searched(struct bound_search *b, uint32_t step, struct tset *open)
{
    if (!b->cache)
        return;
    b->state[step] = signature_now(&b->signature);
    keyset_add(&b->states, b->state[step]);
    TSET_FOR(t, open)
        if (keyset_has(&b->searched, pair(b->state[step], t)))
            tset_remove(open, t);
}

/* True if thread t has still to be searched from the state. */
static bool take(struct bound_search *b, uint64_t state, int t)
{
    ensure(t >= 0);
    return !b->cache || keyset_add(&b->searched, pair(state, t));
}

/* The step is none, as the thread would only go round a loop: nothing was searched with it. The
 * thread may be picked there again: if its stack held something else before, that is another state. */
static void give_back(struct bound_search *b, uint32_t step, int t)
{
    ensure(step + 1 >= b->base);
    if (b->cache)
        keyset_remove(&b->searched, pair(b->state[step], t));
}

/* ---- decisions ---------------------------------------------------------------------------------- */

/* Picks `pick` — if that was searched from here and another one costs nothing either, that one — and
 * leaves the others open. */
static int settle(struct bound_search *b, uint32_t step, int pick, struct tset others)
{
    ensure(pick >= 0);
    tset_remove(&others, pick);
    drop_searched(b, step, &others);
    bool new = take(b, b->state[step], pick);
    if (!new && b->free[step] && !tset_empty(&others)) {
        pick = tset_first(&others);
        ensure(pick >= 0);
        tset_remove(&others, pick);
        new = take(b, b->state[step], pick);
    }
    b->open[step] = others;
    b->chosen = step + 1;
    return new ? pick : ENGINE_ABANDON;
}

static int icb_choose(struct engine *e, const struct decision *d)
{
    struct bound_search *b = e->state;
    uint32_t i = e->trace->step_count;
    struct tset fair = fair_threads(&b->fair, e->trace, d);
    b->free[i] = !decision_holds(d) || !tset_has(&fair, d->last);
    return settle(b, i, b->free[i] ? tset_first(&fair) : d->last, *d->enabled);
}

/* The member that follows `t` in the order of creation, cyclically; -1 if there is none. */
static int round_robin(const struct tset *s, int t)
{
    ensure(t < EVENT_MAX_THREADS);
    int next = t + 1 < EVENT_MAX_THREADS ? tset_next(s, t + 1) : -1;
    return next >= 0 ? next : tset_first(s);
}

static int idb_choose(struct engine *e, const struct decision *d)
{
    struct bound_search *b = e->state;
    uint32_t i = e->trace->step_count;
    struct tset fair = fair_threads(&b->fair, e->trace, d);
    bool holds = decision_holds(d) && tset_has(&fair, d->last);
    b->free[i] = 0;
    return settle(b, i, holds ? d->last : round_robin(&fair, d->last), *d->enabled);
}

/* Another thread that is delayed to where one of them cannot go on; -1: there is none. */
static int delayed_further(struct bound_search *b, uint32_t step, int pick, const struct tset *enabled)
{
    ensure(step + 1 == b->base);
    struct tset *open = &b->open[step];
    while (!tset_empty(open)) {
        pick = round_robin(open, pick);
        tset_remove(open, pick);
        if (!enabled || tset_has(enabled, pick))
            return pick;
    }
    return -1;
}

/* It was found meanwhile that the thread would only go round a loop: it waits, which costs nothing. */
static int bounded_refused(struct engine *e, const struct decision *d)
{
    struct bound_search *b = e->state;
    uint32_t step = e->trace->step_count;
    int pick = -1;
    if (b->kind == DELAYS && step + 1 == b->base)
        pick = delayed_further(b, step, e->trace->steps[step].pick, d->enabled);
    give_back(b, step, e->trace->steps[step].pick);
    return pick >= 0 ? pick : ENGINE_ABANDON;
}

static int bounded_branch(struct engine *e, const struct event *op, int n)
{
    struct bound_search *b = e->state;
    b->open[e->trace->step_count] = (struct tset){{0}};
    b->free[e->trace->step_count] = 0;
    b->chosen = e->trace->step_count + 1;
    return e->usual;
}

/* ---- records ---------------------------------------------------------------------------------- */

static uint32_t count_postponed(const struct bound_search *b, uint32_t steps)
{
    ensure(b->chosen >= steps);
    uint32_t n = 0;
    for (uint32_t i = b->fresh; i < steps; i++)
        n += !b->free[i] && !tset_empty(&b->open[i]);
    return n;
}

/* Everything that would cost one more, from `fresh` on, becomes a record for the next bound. */
static void postpone(struct engine *e)
{
    struct bound_search *b = e->state;
    const struct trace *t = e->trace;
    uint32_t n = count_postponed(b, b->chosen), last = 0;
    if (!n)
        return;
    if (b->bound >= b->last_bound) {
        b->stats->left_over = 1;
        return;
    }
    record_put_steps(b->next, t->steps, t->step_count);
    tape_put(b->next, n);
    for (uint32_t i = b->fresh; i < b->chosen; i++) {
        if (b->free[i] || tset_empty(&b->open[i]))
            continue;
        tape_put(b->next, i - last);
        record_put_set(b->next, &b->open[i]);
        if (b->cache)
            tape_put(b->next, b->state[i]);
        b->stats->waiting += b->kind == DELAYS ? 1 : (uint64_t)tset_count(&b->open[i]);
        last = i;
    }
    b->stats->spilled = tape_spilled(b->next);
}

/* ---- the next execution ------------------------------------------------------------------------ */

/* What is left to try for free at the step before n; -1 if nothing. */
static int untried(struct bound_search *b, const struct trace *t, uint32_t n)
{
    ensure(n <= t->step_room);
    const struct step *s = &t->steps[n - 1];
    struct tset *open = &b->open[n - 1];
    if (n <= t->step_count && s->branch)
        return step_next_value(s);
    while (b->free[n - 1] && !tset_empty(open)) {
        int pick = tset_first(open);
        ensure(pick >= 0);
        tset_remove(open, pick);
        if (take(b, b->state[n - 1], pick))
            return pick;
    }
    return -1;
}

/* The last decision of this work item's search that has something left to try for free. */
static bool backtrack(struct engine *e)
{
    struct bound_search *b = e->state;
    struct trace *t = e->trace;
    for (uint32_t n = b->chosen; n > b->base && b->kind != PROBE; n--) {
        int pick = untried(b, t, n);
        if (pick < 0)
            continue;
        if (n > t->step_count) /* the decision at which the execution was given up */
            t->steps[n - 1] = (struct step){.event = t->event_count};
        trace_retain(t, n, pick);
        b->fresh = n;
        return true;
    }
    return false;
}

static int pick_item(const struct bound_search *b, const struct tset *open, int instead_of)
{
    if (b->kind == DELAYS)
        return round_robin(open, instead_of);
    return b->kind == PROBE ? tset_nth(open, tset_count(open) - 1) : tset_first(open);
}

/* The next execution: the first n steps of the record, and this one. */
static void go_to(struct engine *e, uint32_t n, struct step last)
{
    struct bound_search *b = e->state;
    struct trace *t = e->trace;
    ensure(n < t->step_room);
    for (uint32_t i = 0; i < n; i++)
        t->steps[i] = (struct step){.pick = b->record.steps[i].pick, .branch = b->record.steps[i].branch};
    t->steps[n] = last;
    t->prefix = b->base = b->fresh = n + 1;
    t->known = 0;
}

/* A position without threads: the next value of a choice (of searches that are shared; bounded_share.c). */
static void follow_value(struct engine *e)
{
    struct record *r = &((struct bound_search *)e->state)->record;
    uint32_t n = r->position[r->at];
    struct item_step *now = &r->value;
    if (r->begun != r->at + 1)
        *now = r->steps[n];
    struct step s = {.pick = now->pick, .branch = now->branch};
    int pick = step_next_value(&s);
    ensure(pick >= 0);
    s.pick = now->pick = (uint16_t)pick;
    if (s.branch & STEP_SYMBOLIC)
        s.branch = now->branch &= (uint16_t)~STEP_OPEN;
    r->begun = r->at + 1;
    r->at += step_next_value(&s) < 0;
    go_to(e, n, s);
}

/* Sets the trace to the work item at the record's current position; false if it was searched. */
static bool follow(struct engine *e)
{
    struct bound_search *b = e->state;
    struct record *r = &b->record;
    uint32_t n = r->position[r->at];
    uint64_t state = r->state[r->at];
    struct tset *open = &r->open[r->at];
    if (tset_empty(open)) {
        follow_value(e);
        return true;
    }
    b->instead_of = n < r->step_count ? r->steps[n].pick : 0;
    int pick = pick_item(b, open, b->instead_of);
    ensure(pick >= 0);
    tset_remove(open, pick);
    if (b->kind == DELAYS || tset_empty(open))
        r->at++;
    if (!take(b, state, pick))
        return false;
    go_to(e, n, (struct step){.pick = (uint16_t)pick});
    b->state[n] = state;
    if (b->kind == DELAYS) {
        b->free[n] = 0;
        b->open[n] = *open;
        b->fresh = n;
    }
    return true;
}

/* The last step was none. True: the same execution again, with another one there. */
static bool take_back(struct engine *e)
{
    struct bound_search *b = e->state;
    struct trace *t = e->trace;
    uint32_t step = t->step_count - 1;
    give_back(b, step, t->steps[step].pick);
    if (engine_takes_back(e))
        return true;
    if (b->kind != DELAYS || step + 1 != b->base)
        return false;
    int pick = delayed_further(b, step, t->steps[step].pick, NULL);
    if (pick >= 0)
        trace_retain(t, step + 1, pick);
    return pick >= 0;
}

/* The queue of this bound is empty: on to the next. */
static bool next_bound(struct bound_search *b)
{
    ensure(b->now != b->next);
    struct tape *read = b->now;
    tape_rewind(b->next);
    if (b->next->failed) {
        b->stats->left_over = 1;
        limit_reached(b->limits, LIMIT_SPILL, 0);
    }
    if (!b->next->length || b->next->failed) {
        b->stats->finished = !b->now->failed;
        return false;
    }
    tape_clear(read);
    b->now = b->next;
    b->next = read;
    b->stats->bound = ++b->bound;
    b->stats->waiting = 0;
    if (b->bound < BOUND_STATS) /* it may be that nothing is left to execute */
        b->stats->states[b->bound] = b->stats->states[b->bound - 1];
    return true;
}

bool bounded_next(struct engine *e)
{
    struct bound_search *b = e->state;
    struct record *r = &b->record;
    for (;;) {
        bool empty = r->at >= r->count;
        if (empty && tape_at_end(b->now) && (e->config->jobs > 1 || !next_bound(b)))
            return false; /* of a search that is shared others may still be at this bound */
        if (empty && !record_read(r, b->now, e->trace->step_room, b->cache)) {
            b->stats->left_over = 1;
            limit_reached(b->limits, LIMIT_SPILL, 0);
            return false;
        }
        if (follow(e))
            return true;
    }
}

static int bounded_end(struct engine *e, enum outcome o)
{
    struct bound_search *b = e->state;
    b->retrying = e->retry && take_back(e);
    if (b->retrying)
        return 1;
    if (o == OUTCOME_COMPLETE || o == OUTCOME_BOUND)
        stats_count(b->stats, e->trace, b->bound);
    postpone(e);
    if (b->cache)
        b->stats->states[b->bound < BOUND_STATS ? b->bound : BOUND_STATS - 1] = b->states.count;
    return backtrack(e) || bounded_next(e);
}

const struct engine_class engine_icb = {
    .plain = 1,
    .inputs = 1,
    .guarantee = "every interleaving",
    .bound_unit = "preemption",
    .init = icb_init,
    .begin = bounded_begin,
    .choose = icb_choose,
    .refused = bounded_refused,
    .branch = bounded_branch,
    .observe = bounded_observe,
    .end = bounded_end,
    .adopt = bounded_adopt,
    .save = bounded_save,
    .give = bounded_give,
};

const struct engine_class engine_idb = {
    .plain = 1,
    .inputs = 1,
    .guarantee = "every interleaving",
    .bound_unit = "delay",
    .init = idb_init,
    .begin = bounded_begin,
    .choose = idb_choose,
    .refused = bounded_refused,
    .branch = bounded_branch,
    .observe = bounded_observe,
    .end = bounded_end,
    .adopt = bounded_adopt,
    .save = bounded_save,
    .give = bounded_give,
};

const struct engine_class engine_probe = {
    .inputs = 1,
    .guarantee = "one execution and each single preemption of it",
    .init = probe_init,
    .begin = bounded_begin,
    .choose = icb_choose,
    .refused = bounded_refused,
    .branch = bounded_branch,
    .observe = bounded_observe,
    .end = bounded_end,
};
