/* Drives an engine as the runtime does: follows the prefix, compares the known events, asks at
 * decisions and branches, hands over new events, ends. */
#include "sim.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t arena_size = 1ull << 36;

static void on_event(void *ctx, const struct event *ev)
{
    struct sim_worker *w = ctx;
    struct trace *t = &w->trace;
    struct event *slot = &t->events[t->event_count];
    if (w->gave_up)
        return;
    if (t->event_count < t->known) {
        assert(slot->kind == ev->kind && slot->thread == ev->thread &&
               slot->object == ev->object && slot->value == ev->value && slot->size == ev->size &&
               slot->index == ev->index);
        t->event_count++;
        return;
    }
    assert(t->event_count < t->event_room);
    *slot = *ev;
    t->event_count++;
    w->new_events++;
    if (w->strategy->observe)
        w->strategy->observe(&w->engine, slot);
}

static void record(struct trace *t, int pick, int branch)
{
    t->steps[t->step_count++] = (struct step){
        .pick = (uint16_t)pick, .branch = (uint16_t)branch, .event = t->event_count};
}

static int on_branch(void *ctx, const struct event *op, int n)
{
    struct sim_worker *w = ctx;
    struct trace *t = &w->trace;
    int pick;
    if (t->step_count < t->prefix) {
        assert(t->steps[t->step_count].branch == n);
        pick = t->steps[t->step_count].pick;
    } else {
        pick = w->gave_up ? ENGINE_ABANDON : w->strategy->branch(&w->engine, op, n);
        if (pick == ENGINE_ABANDON) {
            w->gave_up = 1; /* in the midst of a step, of which no more is told */
            return 0;
        }
        assert(pick >= 0 && pick < n);
    }
    record(t, pick, n);
    return pick;
}

/* ---- engines that compare what threads have of their own ------------------------------------------- */

static struct sim_worker *capturing; /* of which memory is looked at */

static uint64_t peek(uint64_t address, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i > 0; i--)
        value = value << 8 | capturing->now.memory[address - 8 + i - 1];
    return value;
}

static int owner_of(uint64_t address)
{
    return -1;
}

static void capture(struct sim_worker *w)
{
    TSET_FOR(t, &w->live) {
        struct sim_trace_id id = sim_own_id(&w->now, t);
        int count = sim_own(&w->now, t, w->own[t]);
        w->captured[t] = (struct captured){{id.a, id.b}, w->own[t], (uint32_t)count};
        if (sim_joined(&w->now, t) < 0)
            sim_set_add(&w->locals, id);
    }
    if (tset_empty(&w->enabled) && !tset_empty(&w->live))
        sim_set_add(&w->stuck, sim_stuck_id(&w->now));
}

static void survey(struct sim_worker *w)
{
    memset(&w->enabled, 0, sizeof w->enabled);
    memset(&w->live, 0, sizeof w->live);
    for (int t = 0; t < w->now.threads; t++) {
        if (!sim_live(&w->now, t))
            continue;
        tset_add(&w->live, t);
        sim_pending(&w->now, t, &w->next[t]);
        if (sim_enabled(&w->now, t))
            tset_add(&w->enabled, t);
    }
    if (w->engine.captures)
        capture(w);
}

/* What a decision shows: who waits for another thread to end stands before joining it. */
static struct decision decision(struct sim_worker *w)
{
    for (int t = 0; t < w->now.threads; t++) {
        int joined = sim_joined(&w->now, t);
        w->shown[t] = w->next[t];
        if (joined >= 0) {
            w->shown[t].kind = EV_JOIN;
            w->shown[t].object = (uint64_t)joined;
        }
    }
    return (struct decision){.enabled = &w->enabled, .next = w->shown, .live = &w->live,
                             .last = w->last, .threads = w->now.threads};
}

static int decide(struct sim_worker *w)
{
    struct trace *t = &w->trace;
    struct decision d = decision(w);
    if (t->step_count < t->prefix) {
        int pick = t->steps[t->step_count].pick;
        assert(t->steps[t->step_count].branch == 0);
        if (tset_has(&w->enabled, pick))
            return pick;
        assert(t->step_count + 1 == t->prefix && w->strategy->refused); /* not foreseen */
        return w->strategy->refused(&w->engine, &d);
    }
    return w->strategy->choose(&w->engine, &d);
}

static enum outcome run(struct sim_worker *w, struct sim_log *log, struct sim_branches *b)
{
    struct trace *t = &w->trace;
    for (;;) {
        survey(w);
        if (w->now.assume_failed)
            return OUTCOME_ASSUME;
        if (tset_empty(&w->enabled))
            return OUTCOME_COMPLETE;
        if (t->step_count >= w->config.max_steps)
            return OUTCOME_BOUND;
        int pick = decide(w);
        if (pick == ENGINE_ABANDON)
            return OUTCOME_ABANDONED;
        if (pick == ENGINE_ROUND) {
            w->rounds++;
            return OUTCOME_COMPLETE;
        }
        assert(tset_has(&w->enabled, pick));
        record(t, pick, 0);
        w->last = pick;
        sim_step(&w->now, pick, log, b);
        if (w->gave_up)
            return OUTCOME_ABANDONED;
    }
}

static void account(struct sim_worker *w, enum outcome o)
{
    struct trace *t = &w->trace;
    w->events += t->event_count;
    w->complete += o == OUTCOME_COMPLETE;
    w->blocked += o == OUTCOME_ABANDONED;
    w->assumed += o == OUTCOME_ASSUME;
    w->bounded += o == OUTCOME_BOUND;
    if (o != OUTCOME_COMPLETE)
        return;
    w->deadlocks += !tset_empty(&w->live);
    if (w->collect && !sim_set_add(&w->seen, w->collect == 2 ? sim_outcome(&w->now)
                                                             : sim_canonical(t->events, (int)t->event_count)))
        w->duplicates++;
}

/* Those who stand before an operation, not those who are parked. */
static void tell_end(struct sim_worker *w)
{
    struct decision d = decision(w);
    struct tset standing = {{0}};
    if (!w->strategy->ended)
        return;
    TSET_FOR(t, &w->live)
        if (w->next[t].kind != EV_NONE)
            tset_add(&standing, t);
    d.live = &standing;
    w->strategy->ended(&w->engine, &d);
}

int sim_worker_once(struct sim_worker *w)
{
    struct sim_log log = {on_event, w};
    struct sim_branches b = {.ask = on_branch, .ctx = w};
    w->trace.step_count = w->trace.event_count = 0;
    w->last = -1;
    capturing = w;
    w->strategy->begin(&w->engine);
    w->engine.candidates = b.candidates;
    w->gave_up = 0;
    sim_start(&w->now, w->p, &log, &b);
    enum outcome o = run(w, &log, &b);
    account(w, o);
    w->engine.stuck = o == OUTCOME_COMPLETE && !tset_empty(&w->live);
    tell_end(w);
    return w->strategy->end(&w->engine, o);
}

void sim_worker_run(struct sim_worker *w, long limit)
{
    long n = 0;
    while (++n <= limit && sim_worker_once(w))
        ;
}

void sim_worker_open(struct sim_worker *w, const struct sim_program *p, const char *engine,
                     int sleep)
{
    sim_worker_open_matching(w, p, engine, sleep, MATCH_BY_WRITER);
}

void sim_worker_open_matching(struct sim_worker *w, const struct sim_program *p, const char *engine,
                              int sleep, int match)
{
    *w = (struct sim_worker){.p = p, .collect = 1};
    w->strategy = engine_find(engine);
    assert(w->strategy);
    w->config.sleep = (uint8_t)sleep;
    w->config.match = (uint8_t)match;
    w->config.max_steps = 2000;
    w->config.max_threads = SIM_THREADS;
    w->config.bound = -1;
    strcpy((char *)w->config.engine_options, "unfold=1"); /* stateful-unfold: also where states are few */
    w->memory = mmap(NULL, arena_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(w->memory != MAP_FAILED);
    w->arena = (struct arena){.base = w->memory, .size = arena_size};
    w->trace.step_room = 2 * w->config.max_steps + 1024;
    w->trace.event_room = 4 * w->config.max_steps + 4096;
    w->trace.steps = arena_alloc(&w->arena, w->trace.step_room * sizeof *w->trace.steps);
    w->trace.events = arena_alloc(&w->arena, w->trace.event_room * sizeof *w->trace.events);
    w->engine = (struct engine){.config = &w->config, .trace = &w->trace, .arena = &w->arena,
                                .next = w->next, .live = &w->live};
    if (match >= MATCH_STATES) {
        w->engine.peek = peek;
        w->engine.owner_of = owner_of;
        w->engine.captured = w->captured;
    }
    int status = w->strategy->init(&w->engine);
    assert(status == 0);
    (void)status;
}

void sim_worker_close(struct sim_worker *w)
{
    munmap(w->memory, arena_size);
    sim_set_free(&w->seen);
    sim_set_free(&w->locals);
    sim_set_free(&w->stuck);
}
