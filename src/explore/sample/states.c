/* A witness for the objects (src/object): random schedules, in which the state of every object is computed
 * again from the events alone and compared with what the runtime did: the results of each operation, and
 * before each decision which of the waiting threads can go on. For the tests; a difference makes the
 * verdict incomplete and says where. Not compared: what only the kernel knows (object/descriptor.c),
 * what a signal or a request to cancel its thread interrupts, and threads that wait in loops.
 * --set skip=N leaves every N-th event out of the computation, which must be noticed. */
#include "explore/engine.h"
#include "object/replay.h"

#include <stdio.h>

#define PORTS 16

struct states {
    struct rng rng;
    uint64_t executions, skip, events;
    struct object_replay replay;
    struct open_ports { /* that a thread has named since its last other event */
        uint64_t port[PORTS];
        int count;
    } open[EVENT_MAX_THREADS];
    char difference[200];
};

static int states_init(struct engine *e)
{
    struct states *s = e->state = arena_alloc(e->arena, sizeof *s);
    if (!s)
        return -1;
    s->skip = engine_option(e, "skip", 0);
    return object_replay_init(&s->replay, e->arena, 1 << 15);
}

static void states_begin(struct engine *e)
{
    struct states *s = e->state;
    rng_seed(&s->rng, engine_seed(e, s->executions++));
    object_replay_begin(&s->replay);
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        s->open[t].count = 0;
}

static void differs(struct engine *e, const struct event *op, const char *what)
{
    struct states *s = e->state;
    if (e->incomplete)
        return;
    snprintf(s->difference, sizeof s->difference,
             "the state computed from the events differs: %s of thread %d %s (event %u of execution %llu)",
             event_name(op->kind), op->thread, what, e->trace->event_count,
             (unsigned long long)s->executions);
    e->incomplete = s->difference;
}

static void states_observe(struct engine *e, const struct event *ev)
{
    struct states *s = e->state;
    struct open_ports *open = &s->open[ev->thread];
    if (!operation_is(ev->kind, OP_NAMES))
        open->count = 0;
    else if (open->count < PORTS)
        open->port[open->count++] = ev->object;
    if (s->skip && ++s->events % s->skip == 0)
        return;
    if (!object_replay_event(&s->replay, e->trace->events, (uint32_t)(ev - e->trace->events)))
        differs(e, ev, "has another result");
    if (s->replay.full)
        e->incomplete = "more objects than the engine has room for";
}

/* A signal or a request to cancel it may have ended the wait. */
static bool is_interrupted(const struct states *s, int thread)
{
    const struct object_state *own =
        object_replay_state(&s->replay, OBJECT_SIGNALS, EVENT_CANCEL_OBJECT(thread));
    const struct object_state *all = object_replay_state(&s->replay, OBJECT_SIGNALS, SIGNAL_OBJECT);
    return (own && (own->count || own->contents)) || (all && all->contents);
}

static bool select_possible(const struct states *s, const struct event *op)
{
    const struct open_ports *open = &s->open[op->thread];
    for (int i = 0; i < open->count; i++) {
        struct event at = *op;
        at.object = open->port[i];
        if (object_replay_possible(&s->replay, &at))
            return true;
    }
    return op->flags & EVENT_TIMED;
}

/* What only the kernel knows, and locks whose kind shows when their owner takes them again. */
static bool is_unknown(const struct states *s, const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    const struct object_state *now = object_replay_state(&s->replay, o->object, op->object);
    if (!o->possible || (o->object == OBJECT_SIGNALS && !op->other))
        return true;
    if (o->object == OBJECT_DESCRIPTOR)
        return op->other > 1 || (now && now->kind);
    if (!now)
        return o->object == OBJECT_SEMAPHORE || o->object == OBJECT_QUEUE;
    return now->owner == op->thread;
}

static void compare(struct engine *e, const struct event *op, bool enabled)
{
    struct states *s = e->state;
    bool retries = operation_is(op->kind, OP_RETRIES | OP_QUEUED);
    if (is_unknown(s, op) || (retries ? !(op->flags & EVENT_SPUN) : op->flags & EVENT_SPINNING) ||
        (!retries && !operation_is(op->kind, OP_BLOCKS)))
        return;
    bool possible = operation_is(op->kind, OP_SELECTS) ? select_possible(s, op)
                                                       : object_replay_possible(&s->replay, op);
    if (operation_of(op->kind)->object == OBJECT_SIGNALS) {
        struct event own = *op;
        own.object = EVENT_CANCEL_OBJECT(op->thread);
        possible |= object_replay_possible(&s->replay, &own);
    }
    if (possible && !enabled)
        differs(e, op, "cannot go on");
    if (!possible && enabled && !is_interrupted(s, op->thread))
        differs(e, op, "can go on");
}

static int states_choose(struct engine *e, const struct decision *d)
{
    struct states *s = e->state;
    TSET_FOR(t, d->live)
        compare(e, &d->next[t], tset_has(d->enabled, t));
    return tset_nth(d->enabled, (int)rng_below(&s->rng, (uint32_t)tset_count(d->enabled)));
}

static int states_branch(struct engine *e, const struct event *op, int n)
{
    return (int)rng_below(&((struct states *)e->state)->rng, (uint32_t)n);
}

static int states_end(struct engine *e, enum outcome o)
{
    e->trace->prefix = e->trace->known = 0;
    return 1;
}

const struct engine_class engine_states = {
    .plain = 1,
    .guarantee = "random schedules",
    .endless = 1,
    .settings = "skip",
    .init = states_init,
    .begin = states_begin,
    .choose = states_choose,
    .branch = states_branch,
    .observe = states_observe,
    .end = states_end,
};
