/* A small concurrent machine for testing reachability testing without the runtime: random programs over
 * all constructs, driven step by step by an engine or by brute force. Every thread and object carries a
 * hash of all it knows, so two executions exercise the same SYN-sequence if and only if the hashes at
 * their ends are equal, and guards that look at the hash make control flow depend on what was received. */
#ifndef TESTS_REACH_SIM_H
#define TESTS_REACH_SIM_H

#include "explore/engine.h"

#include <assert.h>
#include <string.h>

enum instr_kind { I_P, I_V, I_TRY, I_BP, I_BV, I_RMW, I_READ, I_WRITE, I_CAS, I_MONITOR, I_CV,
                  I_SEND, I_RECEIVE, I_CHOOSE, I_KINDS };

struct instr {
    uint8_t kind, object, guard, signal, mode; /* guard: skipped if hash % 4 < guard */
};

enum { SIM_THREADS = 5, SIM_LENGTH = 6, SIM_OBJECTS = 4, SIM_MESSAGES = 32,
       SIM_BRANCHES = 32 };

struct sim_program {
    int threads, length[SIM_THREADS];
    struct instr code[SIM_THREADS][SIM_LENGTH];
    int initial[SIM_OBJECTS];       /* semaphores */
    int order[SIM_OBJECTS];         /* ports: enum reach_order */
    int urgent;                     /* monitors: signal and urgent wait */
    int timed;                      /* condition waits can time out */
};

enum sim_state { S_PENDING, S_PARKED, S_DONE };

struct sim_thread {
    enum sim_state state;
    int pc, phase, condition; /* condition: 1 + object while waiting */
    uint32_t ticket, ports;
    bool may_else;
    uint64_t h;
    struct event next;
};

struct sim_message {
    uint64_t h;
    int port, sender, event;
    bool synchronous, taken;
};

struct sim {
    const struct sim_program *p;
    struct sim_thread t[SIM_THREADS];
    int sem[SIM_OBJECTS], binary[SIM_OBJECTS], owner[SIM_OBJECTS], mutex[SIM_OBJECTS];
    uint64_t sem_h[SIM_OBJECTS], binary_h[SIM_OBJECTS], monitor_h[SIM_OBJECTS], cv_h[SIM_OBJECTS],
        var_h[SIM_OBJECTS];
    uint64_t var[SIM_OBJECTS]; /* contents, which compare-exchanges compare */
    uint32_t urgent; /* threads that wait because they signalled */
    struct sim_message m[SIM_MESSAGES];
    int messages, events;
    uint32_t tickets;
    struct engine *engine; /* NULL: brute force */
    const struct engine_class *class;
    /* Brute force: the values of the branches in one step, and how many each could have had. */
    int script[SIM_BRANCHES], values[SIM_BRANCHES], branches;
};

static inline uint64_t sim_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return rng_mix(&x);
}

static uint64_t sim_address(int type, int object)
{
    return 0x1000u * (unsigned)(type + 1) + 0x40u * (unsigned)object;
}

static void sim_emit(struct sim *s, struct event ev)
{
    s->events++;
    if (!s->engine)
        return;
    s->engine->trace->event_count = (uint32_t)s->events;
    s->class->observe(s->engine, &ev);
}

static void sim_local(struct sim *s, int t, enum event_kind k, uint64_t object, uint64_t value)
{
    sim_emit(s, (struct event){.kind = k, .thread = (uint16_t)t, .object = object, .value = value});
}

/* A choice of n values within the operation that thread t stands before. */
static int sim_branch(struct sim *s, const struct event *op, int n)
{
    if (n <= 1)
        return 0;
    if (s->engine)
        return s->class->branch(s->engine, op, n);
    assert(s->branches < SIM_BRANCHES);
    s->values[s->branches] = n;
    return s->script[s->branches++];
}

static void sim_advance(struct sim *s, int t);
static void sim_monitor(struct sim *s, int t);

static void sim_pend(struct sim *s, int t, enum event_kind k, uint64_t object)
{
    s->t[t].state = S_PENDING;
    s->t[t].next = (struct event){.kind = k,
                                  .thread = (uint16_t)t,
                                  .object = object,
                                  .pc = (uint64_t)(t * 100 + s->t[t].pc * 10 + s->t[t].phase)};
}

static const struct instr *sim_instr(const struct sim *s, int t)
{
    return &s->p->code[t][s->t[t].pc];
}

#include "reach_sim_wait.h"

static void sim_select_pend(struct sim *s, int t, const struct instr *in)
{
    s->t[t].ports = 1u << in->object | (in->mode & 1 ? 1u << (in->object + 1) % SIM_OBJECTS : 0);
    s->t[t].may_else = in->mode & 2;
    for (int o = 0; o < SIM_OBJECTS; o++)
        if (s->t[t].ports >> o & 1)
            sim_local(s, t, EV_PORT_OPEN, sim_address(6, o), 0);
    sim_pend(s, t, EV_PORT_SELECT, sim_address(6, in->object));
    s->t[t].next.flags = s->t[t].may_else ? EVENT_TIMED : 0;
}

/* To the next visible operation of thread t. */
static void sim_advance(struct sim *s, int t)
{
    static const enum event_kind kinds[] = {EV_SEM_WAIT, EV_SEM_POST, EV_SEM_TRYWAIT, EV_SEM_WAIT,
                                            EV_BINARY_POST, EV_RMW, EV_LOAD, EV_STORE, EV_CAS};
    struct sim_thread *me = &s->t[t];
    for (; me->pc < s->p->length[t]; me->pc++) {
        const struct instr *in = sim_instr(s, t);
        if (me->h >> 3 & 3 && (me->h >> 3) % 4 < in->guard)
            continue;
        if (in->kind == I_CHOOSE) {
            struct event ev = {.kind = EV_CHOOSE, .thread = (uint16_t)t};
            int v = sim_branch(s, &ev, 2);
            me->h = sim_mix(me->h, (uint64_t)v + 5);
            continue;
        }
        if (in->kind <= I_CAS)
            sim_pend(s, t, kinds[in->kind],
                     sim_address(in->kind <= I_TRY ? 0 : in->kind <= I_BV ? 1 : 2, in->object));
        if (in->kind >= I_RMW && in->kind <= I_CAS)
            s->t[t].next.size = 4;
        if (in->kind == I_CAS)
            s->t[t].next.other = in->signal;
        if (in->kind <= I_CAS)
            return;
        if (in->kind == I_MONITOR)
            sim_pend(s, t, EV_MONITOR_ENTER, sim_address(3, in->object));
        else if (in->kind == I_CV)
            sim_cv_pend(s, t);
        else if (in->kind == I_SEND)
            sim_pend(s, t, EV_PORT_SEND, sim_address(6, in->object));
        else
            sim_select_pend(s, t, in);
        return;
    }
    me->state = S_DONE;
}

/* Messages that thread t's receive could take now. */
static int sim_candidates(const struct sim *s, int t, uint32_t *out)
{
    int n = 0;
    for (int sender = 0; sender < s->p->threads; sender++)
        for (int i = 0; i < s->messages; i++) {
            const struct sim_message *m = &s->m[i];
            if (m->taken || m->sender != sender || !(s->t[t].ports >> m->port & 1))
                continue;
            bool first = true;
            for (int j = 0; j < i && s->p->order[m->port] == 0; j++)
                first &= s->m[j].taken || s->m[j].sender != sender || s->m[j].port != m->port;
            if (first)
                out[n++] = (uint32_t)i;
        }
    if (s->t[t].may_else)
        out[n++] = UINT32_MAX;
    return n;
}

static bool sim_enabled(const struct sim *s, int t)
{
    uint32_t candidates[SIM_MESSAGES + 1];
    if (s->t[t].state != S_PENDING)
        return false;
    const struct instr *in = sim_instr(s, t);
    int o = in->object;
    switch (s->t[t].next.kind) {
    case EV_SEM_WAIT:
        return (in->kind == I_P ? s->sem[o] : s->binary[o]) > 0;
    case EV_BINARY_POST:
        return s->binary[o] == 0;
    case EV_MONITOR_ENTER:
        return s->owner[o] < 0;
    case EV_LOCK:
        return !s->mutex[o];
    case EV_COND_WAKE:
        return !s->mutex[o] && !s->t[t].condition;
    case EV_PORT_SELECT:
        return sim_candidates(s, t, candidates) > 0;
    default:
        return true;
    }
}

static void sim_receive(struct sim *s, int t)
{
    uint32_t list[SIM_MESSAGES + 1], sends[SIM_MESSAGES + 1];
    struct sim_thread *me = &s->t[t];
    int n = sim_candidates(s, t, list), synchronous = -1;
    for (int i = 0; i < n; i++)
        sends[i] = list[i] == UINT32_MAX ? UINT32_MAX : (uint32_t)s->m[list[i]].event;
    if (s->engine)
        s->engine->candidates = sends;
    int pick = sim_branch(s, &me->next, n);
    if (pick < 0)
        return;
    struct event ev = me->next;
    if (list[pick] == UINT32_MAX) {
        me->h = sim_mix(me->h, 999);
        ev.kind = EV_PORT_ELSE;
    } else {
        struct sim_message *m = &s->m[list[pick]];
        m->taken = true;
        me->h = sim_mix(me->h, m->h);
        ev.kind = EV_PORT_RECEIVE;
        ev.object = sim_address(6, m->port);
        ev.match = (uint32_t)m->event + 1;
        if (m->synchronous)
            synchronous = m->sender;
    }
    sim_emit(s, ev);
    me->pc++;
    if (synchronous >= 0) {
        s->t[synchronous].h = sim_mix(s->t[synchronous].h, me->h);
        s->t[synchronous].pc++;
        sim_advance(s, synchronous);
    }
    sim_advance(s, t);
}

static void sim_send(struct sim *s, int t, const struct instr *in)
{
    struct sim_thread *me = &s->t[t];
    assert(s->messages < SIM_MESSAGES);
    me->h = sim_mix(me->h, 31);
    s->m[s->messages++] = (struct sim_message){sim_mix(me->h, in->object), in->object, t, s->events,
                                               in->mode & 1, false};
    struct event ev = me->next;
    ev.value = in->mode & 1;
    ev.other = (uint64_t)s->p->order[in->object];
    sim_emit(s, ev);
    if (in->mode & 1) {
        me->state = S_PARKED;
        return;
    }
    me->pc++;
    sim_advance(s, t);
}

/* Variables: nobody learns of a read, nor of a compare-exchange that fails. */
static void sim_variable(struct sim *s, int t, const struct instr *in)
{
    struct sim_thread *me = &s->t[t];
    uint64_t *h = &s->var_h[in->object], *contents = &s->var[in->object];
    struct event ev = me->next;
    bool fails = in->kind == I_CAS && *contents != ev.other;
    if (in->kind == I_READ || fails)
        me->h = sim_mix(me->h, *h);
    else
        *h = me->h = sim_mix(*h, sim_mix(me->h, in->kind));
    if (in->kind == I_CAS) {
        ev.kind = fails ? EV_CAS_FAIL : EV_RMW;
        ev.flags = fails ? EVENT_FAILED : EVENT_COMPARE;
    } else {
        ev.other = *contents;
    }
    if (!fails && in->kind != I_READ)
        *contents = in->kind == I_RMW ? (*contents + 1) % 3 : (in->signal + 1u + in->mode) % 3;
    ev.value = *contents;
    sim_emit(s, ev);
    me->pc++;
    sim_advance(s, t);
}

static void sim_object(struct sim *s, int t, const struct instr *in)
{
    struct sim_thread *me = &s->t[t];
    bool sem = in->kind <= I_TRY;
    int *value = sem ? &s->sem[in->object] : &s->binary[in->object];
    uint64_t *h = sem ? &s->sem_h[in->object] : &s->binary_h[in->object];
    struct event ev = me->next;
    int taken = *value > 0;
    *h = me->h = sim_mix(*h, sim_mix(me->h, ev.kind));
    if (in->kind == I_P || in->kind == I_BP || (in->kind == I_TRY && taken))
        --*value;
    else if (in->kind == I_V || in->kind == I_BV)
        ++*value;
    ev.value = (uint64_t)*value;
    if (in->kind == I_TRY) {
        ev.other = (uint64_t)taken;
        ev.flags = taken ? 0 : EVENT_FAILED;
        me->h = sim_mix(me->h, (uint64_t)taken);
    }
    sim_emit(s, ev);
    me->pc++;
    sim_advance(s, t);
}

static void sim_step(struct sim *s, int t)
{
    const struct instr *in = sim_instr(s, t);
    struct sim_thread *me = &s->t[t];
    switch (in->kind) {
    case I_MONITOR:
        s->owner[in->object] = t;
        s->monitor_h[in->object] = sim_mix(s->monitor_h[in->object], sim_mix(me->h, 3));
        sim_emit(s, me->next);
        if (me->phase == 1)
            me->phase = 2;
        sim_monitor(s, t);
        break;
    case I_CV:
        sim_cv_perform(s, t);
        break;
    case I_SEND:
        sim_send(s, t, in);
        break;
    case I_RECEIVE:
        sim_receive(s, t);
        break;
    case I_RMW:
    case I_READ:
    case I_WRITE:
    case I_CAS:
        sim_variable(s, t, in);
        break;
    default:
        sim_object(s, t, in);
    }
}

static void sim_start(struct sim *s, const struct sim_program *p)
{
    s->p = p;
    for (int o = 0; o < SIM_OBJECTS; o++) {
        s->sem[o] = p->initial[o];
        s->binary[o] = p->initial[o] > 0;
        s->owner[o] = -1;
    }
    for (int t = 0; t < p->threads; t++) {
        s->t[t].h = (uint64_t)t + 1;
        if (t)
            sim_emit(s, (struct event){.kind = EV_CREATE, .object = (uint64_t)t});
    }
    for (int t = 0; t < p->threads; t++)
        sim_advance(s, t);
}

/* The SYN-sequence exercised so far. */
static uint64_t sim_fingerprint(const struct sim *s)
{
    uint64_t h = 1;
    for (int t = 0; t < s->p->threads; t++)
        h = sim_mix(h, sim_mix(s->t[t].h, (uint64_t)(s->t[t].pc * 1000 + s->t[t].phase * 10) +
                                              s->t[t].state));
    for (int o = 0; o < SIM_OBJECTS; o++)
        h = sim_mix(h, s->sem_h[o] ^ sim_mix(s->binary_h[o], 1) ^ sim_mix(s->monitor_h[o], 2) ^
                           sim_mix(s->cv_h[o], 3) ^ sim_mix(s->var_h[o], 4));
    uint64_t messages = 0;
    for (int i = 0; i < s->messages; i++)
        messages += sim_mix(s->m[i].h, s->m[i].taken);
    return sim_mix(h, messages);
}

#endif
