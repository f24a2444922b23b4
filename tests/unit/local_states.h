/* What the engines that promise local states rather than traces are compared by: the local states of every
 * thread (the sequence of what it did, with what it got to know), and the deadlocks. */
#ifndef LOCAL_STATES_H
#define LOCAL_STATES_H

#include "sim.h"

#include "explore/match/states.h"
#include "object/object.h"

#include <assert.h>
#include <string.h>

struct tally {
    struct sim_set states;
    struct sim_set deadlocks; /* who waits for what when nobody can go on */
    long executions;
    uint64_t places, moves; /* of the net that was learnt */
    long finals;            /* states from which nothing leads on; -1: it has no states */
    uint64_t graph_states, graph_steps;
    bool complete;
};

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 31;
}

/* Which message it is: of whom, and the number in its thread. */
static uint64_t received(const struct event *events, const struct event *ev)
{
    uint64_t number = 0;
    if (!ev->match || ev->flags & EVENT_FAILED)
        return 0;
    const struct event *source = &events[ev->match - 1];
    for (const struct event *e = events; e < source; e++)
        number += e->thread == source->thread;
    return mix(number, source->thread + 1u);
}

/* What the thread gets to know by an event, beside that it is over. */
static uint64_t learnt(const struct event *events, const struct event *ev)
{
    switch (ev->kind) {
    case EV_PORT_RECEIVE:
    case EV_QUEUE_RECEIVE:
    case EV_QUEUE_TRYRECEIVE:
        return received(events, ev);
    case EV_FUTEX_WAIT:
    case EV_QUEUE_TRYSEND:
        return ev->flags & EVENT_FAILED;
    case EV_QUEUE_LOOK:
    case EV_LOAD:
    case EV_CAS_FAIL:
    case EV_TRYLOCK:
    case EV_TIMEDLOCK:
    case EV_TRYRDLOCK:
    case EV_TRYWRLOCK:
    case EV_SEM_GETVALUE:
    case EV_BARRIER:
    case EV_CHOOSE:
    case EV_FUTEX_WAKE:
        return ev->value;
    case EV_SEM_TRYWAIT:
    case EV_SEM_TIMEDWAIT:
    case EV_RMW:
        return ev->other;
    default:
        return 0;
    }
}

static void add_states(struct tally *t, const struct event *events, uint32_t count)
{
    uint64_t h[SIM_THREADS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct event *ev = &events[i];
        uint64_t *own = &h[ev->thread];
        *own = mix(mix(mix(*own, ev->kind), ev->object), learnt(events, ev));
        sim_set_add(&t->states, (struct sim_trace_id){*own, ev->thread + 1u});
    }
}

static void add_deadlock(struct tally *t, const struct sim_worker *w)
{
    uint64_t h = 0;
    if (w->now.assume_failed || tset_empty(&w->live) || !tset_empty(&w->enabled))
        return;
    TSET_FOR(i, &w->live)
        h = mix(mix(mix(h, (uint64_t)i), w->next[i].kind), w->next[i].object);
    sim_set_add(&t->deadlocks, (struct sim_trace_id){h, 1});
}

static void forget(struct tally *t)
{
    sim_set_free(&t->states);
    sim_set_free(&t->deadlocks);
}

/* The states of a graph from which nothing leads on. */
static long final_of_graph(const struct state_graph *g)
{
    long count = 0;
    for (uint64_t i = 0; i < g->states; i++)
        count += g->found[i].edges == (i + 1 < g->states ? g->found[i + 1].edges : g->transitions);
    return count;
}

/* graph_too: as with --states. */
static void explore_graph(const struct sim_program *p, const char *engine, int match, bool graph_too,
                          long limit, struct tally *t)
{
    static struct sim_worker w;
    int more = 1;
    struct state_graph graph = {0};
    *t = (struct tally){.complete = true};
    sim_worker_open_matching(&w, p, engine, 1, match);
    w.engine.graph = &graph;
    w.config.graph = graph_too;
    w.collect = 0;
    while (more && t->executions < limit) {
        more = sim_worker_once(&w);
        t->executions = more == ENGINE_AGAIN ? 0 : t->executions + 1;
        add_states(t, w.trace.events, w.trace.event_count);
        add_deadlock(t, &w);
    }
    t->complete = !more && !w.engine.incomplete && !w.bounded;
    t->places = graph.places;
    t->moves = graph.moves;
    t->finals = graph.states ? (long)graph.finals : -1;
    assert(!graph_too || !t->complete || t->finals == final_of_graph(&graph));
    t->graph_states = graph.states;
    t->graph_steps = graph.transitions;
    sim_worker_close(&w);
}

static void explore(const struct sim_program *p, const char *engine, int match, long limit, struct tally *t)
{
    explore_graph(p, engine, match, false, limit, t);
}

#endif
