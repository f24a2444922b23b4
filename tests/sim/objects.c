/* Ports, monitors, mutexes that count or check, rwlocks that prefer writers: from the comments of
 * raddle/sync.h and the manual pages. Which events the steps give is told in trace/event.def. */
#include "machine.h"

#include <assert.h>
#include <string.h>

/* ---- ports -------------------------------------------------------------------------------------- */

void sim_take_out(struct sim_box *box, int k)
{
    memmove(&box->m[k], &box->m[k + 1], (size_t)(--box->count - k) * sizeof box->m[0]);
    memset(&box->m[box->count], 0, sizeof box->m[0]);
}

static int happened_before(const struct sim_message *a, const struct sim_message *b)
{
    return a->clock[a->from] <= b->clock[a->from];
}

/* Must message a of the port arrive before b? */
static int goes_first(const struct sim_program *p, int port, const struct sim_message *a,
                      const struct sim_message *b)
{
    if (a == b || p->kind[port] == SIM_ASYNC)
        return 0;
    if (a->from == b->from)
        return a < b;
    return p->kind[port] == SIM_CAUSAL && happened_before(a, b);
}

static int can_arrive(const struct sim_state *s, int port, int k)
{
    const struct sim_box *box = &s->box[port - SIM_BOX];
    for (int i = 0; i < box->count; i++)
        if (goes_first(s->p, port, &box->m[i], &box->m[k]))
            return 0;
    return 1;
}

/* What is sent before the receiver looks has arrived on a causal port; so else is not possible. */
static int has_arrived(const struct sim_state *s, int t, int port)
{
    const struct sim_box *box = &s->box[port - SIM_BOX];
    for (int i = 0; i < box->count; i++)
        if (s->p->kind[port] == SIM_CAUSAL &&
            box->m[i].clock[box->m[i].from] <= s->t[t].clock[box->m[i].from])
            return 1;
    return 0;
}

static void send(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev,
                 struct sim_log *log)
{
    struct sim_box *box = sim_box_of(s, i->imm);
    struct sim_thread *th = &s->t[t];
    assert(box->count < SIM_MESSAGES && t < SIM_CLOCK);
    th->clock[t]++;
    struct sim_message m = {.value = (int8_t)i->imm2, .from = (int8_t)t, .call = i->op == SIM_CALL,
                            .event = s->logged};
    memcpy(m.clock, th->clock, SIM_CLOCK);
    box->m[box->count++] = m;
    sim_emit(s, log, ev);
    if (i->op == SIM_SEND)
        sim_done(s, t, 0);
    else
        th->state = PARKED;
}

struct candidate {
    int port, k;
};

/* By alternative, sender and number. */
static int find_candidates(const struct sim_state *s, int port, struct candidate *c, int n)
{
    const struct sim_box *box = &s->box[port - SIM_BOX];
    for (int from = 0; from < s->threads; from++)
        for (int k = 0; k < box->count; k++)
            if (box->m[k].from == from && can_arrive(s, port, k))
                c[n++] = (struct candidate){port, k};
    return n;
}

static void receive(struct sim_state *s, int t, const struct sim_instr *i, struct candidate c,
                    struct event *ev, struct sim_log *log, struct sim_branches *b)
{
    struct sim_message m = sim_box_of(s, c.port)->m[c.k];
    sim_take_out(sim_box_of(s, c.port), c.k);
    sim_learn(s->t[t].clock, m.clock);
    ev->kind = EV_PORT_RECEIVE;
    ev->object = sim_sync_address(c.port);
    ev->match = m.event + 1;
    ev->value = (uint64_t)m.from;
    sim_emit(s, log, ev);
    sim_done(s, t, m.value + (c.port == i->imm ? 0 : 100));
    if (m.call) {
        sim_learn(s->t[m.from].clock, s->t[t].clock);
        s->t[m.from].state = READY;
        sim_emit_local(s, log, m.from, EV_PORT_TAKEN, (uint64_t)t, 0, 0);
        sim_done(s, m.from, 0);
        sim_run_local(s, m.from, log, b);
    }
}

static void select_one(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev,
                       struct sim_log *log, struct sim_branches *b)
{
    struct candidate c[SIM_BOXES * SIM_MESSAGES + 1];
    int n = find_candidates(s, i->imm, c, 0), other = i->at;
    if (i->imm2 >= 0)
        n = find_candidates(s, i->imm2, c, n);
    for (int k = 0; k < n; k++)
        b->candidates[k] = sim_box_of(s, c[k].port)->m[c[k].k].event;
    if (other && (has_arrived(s, t, i->imm) || (i->imm2 >= 0 && has_arrived(s, t, i->imm2)))) {
        other = 0;
        ev->flags &= (uint8_t)~EVENT_TIMED;
    }
    if (other)
        b->candidates[n] = UINT32_MAX;
    ev->other = (uint64_t)(n + other);
    s->t[t].opened = 0;
    int k = n + other > 1 ? b->ask(b->ctx, ev, n + other) : 0;
    if (k < n) {
        receive(s, t, i, c[k], ev, log, b);
        return;
    }
    ev->kind = EV_PORT_ELSE;
    ev->other = 0;
    sim_emit(s, log, ev);
    sim_done(s, t, -1);
}

/* ---- monitors ----------------------------------------------------------------------------------- */

enum { URGENTLY = 200 }; /* awaits: 200 + monitor */

static int longest_waiting(const struct sim_state *s, int awaits)
{
    int first = -1;
    for (int t = 0; t < s->threads; t++)
        if (s->t[t].state == PARKED && s->t[t].awaits == awaits &&
            (first < 0 || s->t[t].ticket < s->t[first].ticket))
            first = t;
    return first;
}

static void park(struct sim_state *s, int t, int awaits)
{
    s->t[t].state = PARKED;
    s->t[t].awaits = (uint8_t)awaits;
    s->t[t].ticket = (uint8_t)++s->tickets;
}

/* It has been woken: it has the monitor, or has to enter again. */
static void resume(struct sim_state *s, int t, int monitor, struct sim_log *log,
                   struct sim_branches *b)
{
    struct sim_thread *th = &s->t[t];
    int enters = th->awaits < URGENTLY && s->p->kind[monitor] == SIM_CONTINUE;
    th->state = READY;
    th->awaits = th->ticket = 0;
    sim_emit_local(s, log, t, EV_MONITOR_RESUME, sim_sync_address(monitor), !enters, 0);
    if (enters) {
        th->phase = 1;
        return;
    }
    s->owner[monitor] = (int16_t)(t + 1);
    sim_done(s, t, 0);
    sim_run_local(s, t, log, b);
}

static void give_up(struct sim_state *s, int monitor, struct sim_log *log, struct sim_branches *b)
{
    int urgent = longest_waiting(s, URGENTLY + monitor);
    s->owner[monitor] = 0;
    if (urgent >= 0)
        resume(s, urgent, monitor, log, b);
}

static void signal_one(struct sim_state *s, int t, const struct sim_instr *i, struct sim_log *log,
                       struct sim_branches *b)
{
    int woken = longest_waiting(s, i->imm2 + 1), urgent = s->p->kind[i->imm] == SIM_URGENT;
    sim_emit_local(s, log, t, EV_MONITOR_SIGNAL, sim_sync_address(i->imm), (uint64_t)(woken + 1),
                   sim_sync_address(i->imm2));
    if (woken < 0 || !urgent)
        sim_done(s, t, 0);
    else
        park(s, t, URGENTLY + i->imm);
    if (woken >= 0)
        resume(s, woken, i->imm, log, b);
}

/* Returns 0 where the thread stops. */
static int inside_monitor(struct sim_state *s, int t, const struct sim_instr *i, struct sim_log *log,
                          struct sim_branches *b)
{
    struct sim_thread *th = &s->t[t];
    if (i->op == SIM_MWAIT && th->phase)
        return 0; /* stands before entering again */
    assert(s->owner[i->imm] == t + 1);
    if (i->op == SIM_MSIGNAL) {
        signal_one(s, t, i, log, b);
    } else if (i->op == SIM_MBROADCAST) {
        for (int woken; (woken = longest_waiting(s, i->imm2 + 1)) >= 0;) {
            sim_emit_local(s, log, t, EV_MONITOR_SIGNAL, sim_sync_address(i->imm),
                           (uint64_t)(woken + 1), sim_sync_address(i->imm2));
            resume(s, woken, i->imm, log, b);
        }
        sim_emit_local(s, log, t, EV_MONITOR_SIGNAL, sim_sync_address(i->imm), 0,
                       sim_sync_address(i->imm2));
        sim_done(s, t, 0);
    } else if (i->op == SIM_LEAVE) {
        sim_emit_local(s, log, t, EV_MONITOR_EXIT, sim_sync_address(i->imm), 0, 0);
        sim_done(s, t, 0);
        give_up(s, i->imm, log, b);
    } else {
        sim_emit_local(s, log, t, EV_MONITOR_WAIT, sim_sync_address(i->imm), 0,
                       sim_sync_address(i->imm2));
        park(s, t, i->imm2 + 1);
        give_up(s, i->imm, log, b);
    }
    return s->t[t].state == READY;
}

/* ---- locks ---------------------------------------------------------------------------------------- */

static void checked_mutex(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    int16_t *owner = &s->owner[i->imm], *count = &s->count[i->imm];
    int mine = *owner == t + 1, got = !*owner || (mine && s->p->kind[i->imm] == SIM_RECURSIVE);
    if (i->op == SIM_MUNLOCK) {
        got = mine;
        if (mine)
            ev->other = (uint64_t)--*count;
        if (!*count)
            *owner = 0;
    } else {
        ev->other = (uint64_t)mine;
        if (got)
            *owner = (int16_t)(t + 1), ++*count;
    }
    ev->value = (uint64_t)got;
    if (!got)
        ev->flags |= EVENT_FAILED;
    sim_done(s, t, got);
}

/* A writer first arrives: takes it, or keeps readers out from then on. */
static void lock_preferring_writers(struct sim_state *s, int t, const struct sim_instr *i,
                                    struct event *ev)
{
    int16_t *owner = &s->owner[i->imm], *readers = &s->count[i->imm];
    int8_t *waiting = &s->writers[i->imm];
    int writes = i->op == SIM_PWR || i->op == SIM_PTIMEDWR, got;
    if (i->op == SIM_PUNLOCK) {
        ev->value = *owner == t + 1;
        if (ev->value)
            *owner = 0;
        else
            --*readers;
        sim_done(s, t, 1);
        return;
    }
    got = !*owner && (writes ? !*readers : !*waiting);
    if (!got && !writes)
        ev->other = !*owner;
    if (got && writes)
        *owner = (int16_t)(t + 1);
    else if (got)
        ++*readers;
    ev->value = (uint64_t)got;
    ev->flags |= got ? 0 : EVENT_FAILED;
    if (writes && s->t[t].phase)
        --*waiting;
    if (writes && !s->t[t].phase && !got) {
        ++*waiting;
        s->t[t].phase = 1;
        return;
    }
    sim_done(s, t, got);
}

/* ---- all of them ---------------------------------------------------------------------------------- */

int sim_must_announce_end(const struct sim_state *s, int t)
{
    return s->p->cancels && !s->t[t].ending;
}

int sim_more_enabled(const struct sim_state *s, int t)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    if (sim_is_ending(i->op))
        return sim_ending_enabled(s, t);
    switch (i->op) {
    case SIM_SELECT:
        return i->at || s->box[i->imm - SIM_BOX].count ||
               (i->imm2 >= 0 && s->box[i->imm2 - SIM_BOX].count);
    case SIM_ENTER: case SIM_MWAIT:
        return !s->owner[i->imm];
    case SIM_MLOCK:
        return !s->owner[i->imm] || (s->owner[i->imm] == t + 1 && s->p->kind[i->imm] != SIM_NORMAL);
    case SIM_PRD:
        return !s->owner[i->imm] && !s->writers[i->imm];
    case SIM_PWR:
        return !s->t[t].phase || (!s->owner[i->imm] && !s->count[i->imm]);
    default:
        return sim_system_enabled(s, t);
    }
}

static const uint8_t kinds[] = {
    [SIM_SEND] = EV_PORT_SEND, [SIM_CALL] = EV_PORT_SEND, [SIM_SELECT] = EV_PORT_SELECT,
    [SIM_ENTER] = EV_MONITOR_ENTER, [SIM_MWAIT] = EV_MONITOR_ENTER, [SIM_MLOCK] = EV_LOCK,
    [SIM_MTRYLOCK] = EV_TRYLOCK, [SIM_MUNLOCK] = EV_UNLOCK, [SIM_PRD] = EV_RDLOCK,
    [SIM_PTRYRD] = EV_TRYRDLOCK, [SIM_PWR] = EV_WRLOCK, [SIM_PTIMEDWR] = EV_TIMEDWRLOCK,
    [SIM_PUNLOCK] = EV_RW_UNLOCK,
};

void sim_more_pending(const struct sim_state *s, int t, struct event *out)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    out->object = sim_sync_address(i->imm);
    if ((i->op >= SIM_QSEND && i->op <= SIM_CANCEL_SEM) || i->op == SIM_END) {
        sim_system_pending(s, t, out);
        return;
    }
    if (sim_is_ending(i->op)) {
        sim_ending_pending(s, t, out);
        return;
    }
    out->kind = kinds[i->op];
    if (i->op <= SIM_SELECT)
        out->size = s->p->together;
    if (i->op <= SIM_CALL) {
        out->other = s->p->kind[i->imm];
        out->value = i->op == SIM_CALL;
    } else if (i->op == SIM_SELECT) {
        out->flags = i->at ? EVENT_TIMED : 0;
    } else if (i->op == SIM_PWR || i->op == SIM_PTIMEDWR) {
        out->kind = s->t[t].phase ? out->kind : EV_WR_ARRIVE;
        out->other = s->t[t].phase;
    }
}

void sim_more_step(struct sim_state *s, int t, struct event *ev, struct sim_log *log,
                   struct sim_branches *b)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    switch (i->op) {
    case SIM_SEND: case SIM_CALL:
        send(s, t, i, ev, log);
        return;
    case SIM_SELECT:
        select_one(s, t, i, ev, log, b);
        return;
    case SIM_ENTER: case SIM_MWAIT:
        s->owner[i->imm] = (int16_t)(t + 1);
        sim_done(s, t, 0);
        break;
    case SIM_MLOCK: case SIM_MTRYLOCK: case SIM_MUNLOCK:
        checked_mutex(s, t, i, ev);
        break;
    case SIM_PRD: case SIM_PTRYRD: case SIM_PWR: case SIM_PTIMEDWR: case SIM_PUNLOCK:
        lock_preferring_writers(s, t, i, ev);
        break;
    case SIM_CANCEL_WAIT: case SIM_CANCEL_TIMEDWAIT: case SIM_CANCEL_SEMTIMED: case SIM_CANCEL_JOIN:
        sim_ending_step(s, t, ev, b);
        break;
    default:
        sim_system_step(s, t, ev, b);
    }
    sim_emit(s, log, ev);
    for (int q = 0; s->left; s->left &= ~(1u << q++))
        if (s->left >> q & 1)
            sim_emit_local(s, log, t, EV_FUTEX_MOVE, ev->object, (uint64_t)q + 1, 0);
}

int sim_more_local(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    if (i->op == SIM_SELECT && !s->t[t].opened) {
        s->t[t].opened = 1;
        sim_emit_local(s, log, t, EV_PORT_OPEN, sim_sync_address(i->imm), 0, 0);
        if (i->imm2 >= 0)
            sim_emit_local(s, log, t, EV_PORT_OPEN, sim_sync_address(i->imm2), 0, 0);
        return 0;
    }
    if (i->op >= SIM_LEAVE && i->op <= SIM_MBROADCAST)
        return inside_monitor(s, t, i, log, b);
    if (i->op != SIM_CANCEL_STATE)
        return 0;
    s->t[t].off = (uint8_t)i->imm;
    s->t[t].pc++;
    return 1;
}
