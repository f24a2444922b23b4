/* The machine. Every live thread stands before a visible instruction (or is parked in a join or a
 * barrier); sim_step performs one and runs everything local that follows from it. */
#include "machine.h"

#include <assert.h>
#include <string.h>

const struct sim_instr *sim_instr_of(const struct sim_state *s, int t)
{
    const struct sim_thread *th = &s->t[t];
    assert(th->pc < s->p->length[th->program]);
    return &s->p->code[th->program][th->pc];
}

int sim_object_of(const struct sim_state *s, int t)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    int o = i->imm + (i->index >= 0 ? s->t[t].r[i->index] : 0);
    assert(o >= 0 && o < SIM_OBJECTS);
    return o;
}

uint64_t sim_sync_address(int object)
{
    return SIM_SYNC_BASE + 64ull * (unsigned)object;
}

int sim_address_of(const struct sim_state *s, int t)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    int at = i->at + (i->index >= 0 ? s->t[t].r[i->index] * i->size : 0);
    assert(at >= 0 && at + i->size <= SIM_MEMORY);
    return at;
}

int64_t sim_load(const struct sim_state *s, int at, int size)
{
    int64_t v = 0;
    for (int i = size - 1; i >= 0; i--)
        v = v * 256 + s->memory[at + i];
    return size == 4 ? (int32_t)v : v;
}

static void store(struct sim_state *s, int at, int size, int64_t v)
{
    for (int i = 0; i < size; i++)
        s->memory[at + i] = (uint8_t)(v >> 8 * i);
    for (int t = 0; t < s->threads; t++) {
        struct sim_thread *th = &s->t[t];
        if (th->state != READY || !th->spinning)
            continue;
        int a = sim_address_of(s, t), z = sim_instr_of(s, t)->size;
        if (a < at + size && at < a + z)
            th->spinning = 0, th->spun = 1;
    }
}

void sim_emit(struct sim_state *s, struct sim_log *log, struct event *ev)
{
    s->logged++;
    ev->index = s->t[ev->thread].events++;
    log->event(log->ctx, ev);
}

void sim_emit_local(struct sim_state *s, struct sim_log *log, int t, int kind, uint64_t object,
                       uint64_t value, uint64_t other)
{
    struct event ev = {.kind = (uint8_t)kind, .thread = (uint16_t)t, .object = object,
                       .value = value, .other = other};
    sim_emit(s, log, &ev);
}

static void start_thread(struct sim_state *s, int program, int creator, struct sim_log *log,
                         struct sim_branches *b)
{
    int t = s->threads++;
    assert(t < SIM_THREADS);
    s->t[t] = (struct sim_thread){.state = READY, .program = (uint16_t)program};
    if (creator >= 0)
        memcpy(s->t[t].clock, s->t[creator].clock, SIM_CLOCK);
    s->started[program] = (int16_t)(t + 1);
    if (creator >= 0)
        sim_emit_local(s, log, creator, EV_CREATE, (uint64_t)t, 0, 0);
    sim_emit_local(s, log, t, EV_START, creator >= 0 ? (uint64_t)creator : 0, 0, 0);
    sim_run_local(s, t, log, b);
}

void sim_learn(uint8_t *clock, const uint8_t *from)
{
    for (int k = 0; k < SIM_CLOCK; k++)
        clock[k] = from[k] > clock[k] ? from[k] : clock[k];
}

static void end_thread(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    s->t[t].state = ENDED;
    sim_emit_local(s, log, t, EV_EXIT, (uint64_t)t, 0, 0);
    for (int q = 0; q < s->threads; q++)
        if (s->t[q].state == JOINING && s->t[q].joining == t) {
            s->t[q].state = READY;
            s->t[q].pc++;
            sim_learn(s->t[q].clock, s->t[t].clock);
            sim_emit_local(s, log, q, EV_JOIN, (uint64_t)t, 0, 0);
            sim_run_local(s, q, log, b);
        }
}

void sim_done(struct sim_state *s, int t, int32_t result)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    if (i->a >= 0)
        s->t[t].r[i->a] = result;
    s->t[t].pc++;
    s->t[t].phase = 0;
}

static void choose(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    struct event op = {.kind = EV_CHOOSE, .thread = (uint16_t)t, .other = (uint64_t)i->imm};
    op.value = (uint64_t)b->ask(b->ctx, &op, i->imm);
    s->t[t].r[i->a] = (int32_t)op.value;
    s->t[t].pc++;
    sim_emit(s, log, &op);
}

/* One local instruction; 0 if the thread now stands before a visible one, is parked or has ended. */
static int local_step(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    int32_t x = i->index >= 0 ? th->r[i->index] : 0;
    switch (i->op) {
    case SIM_SET: th->r[i->a] = i->imm + x; break;
    case SIM_SUM: th->r[i->a] = x + th->r[i->imm]; break;
    case SIM_MUL: th->r[i->a] = x * i->imm; break;
    case SIM_MOD: th->r[i->a] = x % i->imm; break;
    case SIM_JEQ: th->pc = th->r[i->a] == i->imm ? (uint16_t)i->imm2 : th->pc + 1; return 1;
    case SIM_JNE: th->pc = th->r[i->a] != i->imm ? (uint16_t)i->imm2 : th->pc + 1; return 1;
    case SIM_JLT: th->pc = th->r[i->a] < i->imm ? (uint16_t)i->imm2 : th->pc + 1; return 1;
    case SIM_JMP: th->pc = (uint16_t)i->imm2; return 1;
    case SIM_CHOOSE: choose(s, t, log, b); return 1;
    case SIM_PEEK: th->r[i->a] = (int32_t)sim_load(s, sim_address_of(s, t), i->size); break;
    case SIM_POKE:
        store(s, sim_address_of(s, t), i->size, i->imm + (i->a >= 0 ? th->r[i->a] : 0));
        break;
    case SIM_ASSUME:
        if (!th->r[i->a])
            s->assume_failed = 1;
        break;
    case SIM_CREATE:
        th->pc++;
        start_thread(s, i->imm + x, t, log, b);
        return 1;
    case SIM_CANCEL_JOIN:
        if (!sim_ending_joins(s, t))
            return 0;
        th->passed = 0;
        /* fall through */
    case SIM_JOIN: {
        int target = s->started[i->imm + x] - 1;
        assert(target >= 0);
        if (s->t[target].state != ENDED) {
            th->state = JOINING;
            th->joining = (uint16_t)target;
            return 0;
        }
        th->pc++;
        sim_learn(th->clock, s->t[target].clock);
        sim_emit_local(s, log, t, EV_JOIN, (uint64_t)target, 0, 0);
        return 1;
    }
    case SIM_END:
        if (!sim_must_announce_end(s, t))
            end_thread(s, t, log, b);
        return 0;
    default: return sim_more_local(s, t, log, b);
    }
    th->pc++;
    return 1;
}

void sim_run_local(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    while (s->t[t].state == READY && local_step(s, t, log, b))
        ;
}

void sim_start(struct sim_state *s, const struct sim_program *p, struct sim_log *log,
               struct sim_branches *b)
{
    memset(s, 0, offsetof(struct sim_state, t));
    s->p = p;
    memcpy(s->memory, p->memory, sizeof s->memory);
    memcpy(s->count, p->initial, sizeof s->count);
    start_thread(s, 0, -1, log, b);
}

int sim_live(const struct sim_state *s, int t)
{
    return t < s->threads && s->t[t].state != ENDED;
}

static int is_barrier_op(const struct sim_state *s, int t)
{
    return sim_instr_of(s, t)->op == SIM_BARRIER;
}

int sim_enabled(const struct sim_state *s, int t)
{
    const struct sim_thread *th = &s->t[t];
    if (t >= s->threads || th->state != READY || th->spinning || s->assume_failed)
        return 0;
    const struct sim_instr *i = sim_instr_of(s, t);
    switch (i->op) {
    case SIM_LOCK: return s->owner[sim_object_of(s, t)] == 0;
    case SIM_WAIT: return th->phase == 0 || (th->signalled && s->owner[i->imm2] == 0);
    case SIM_TIMEDWAIT:
        return th->phase == 0 || !th->signalled || s->owner[i->imm2] == 0;
    case SIM_SEM_WAIT: return s->count[sim_object_of(s, t)] > 0;
    case SIM_RDLOCK: return s->owner[sim_object_of(s, t)] == 0;
    case SIM_WRLOCK: return s->owner[sim_object_of(s, t)] == 0 && s->count[sim_object_of(s, t)] == 0;
    default: return i->op < SIM_SEND || sim_more_enabled(s, t);
    }
}

static const uint8_t kinds[] = {
    [SIM_LOAD] = EV_LOAD, [SIM_STORE] = EV_STORE, [SIM_ADD] = EV_RMW, [SIM_CAS] = EV_CAS,
    [SIM_SPIN] = EV_LOAD, [SIM_FREE] = EV_FREE, [SIM_LOCK] = EV_LOCK,
    [SIM_TRYLOCK] = EV_TRYLOCK, [SIM_TIMEDLOCK] = EV_TIMEDLOCK, [SIM_UNLOCK] = EV_UNLOCK,
    [SIM_WAIT] = EV_COND_WAIT, [SIM_TIMEDWAIT] = EV_COND_WAIT, [SIM_SIGNAL] = EV_COND_SIGNAL,
    [SIM_BROADCAST] = EV_COND_BROADCAST, [SIM_SEM_WAIT] = EV_SEM_WAIT,
    [SIM_SEM_TRY] = EV_SEM_TRYWAIT, [SIM_SEM_TIMED] = EV_SEM_TIMEDWAIT,
    [SIM_SEM_POST] = EV_SEM_POST, [SIM_SEM_VALUE] = EV_SEM_GETVALUE, [SIM_RDLOCK] = EV_RDLOCK,
    [SIM_TRYRD] = EV_TRYRDLOCK, [SIM_WRLOCK] = EV_WRLOCK, [SIM_TRYWR] = EV_TRYWRLOCK,
    [SIM_RW_UNLOCK] = EV_RW_UNLOCK, [SIM_BARRIER] = EV_BARRIER,
};

static void pending_wait(const struct sim_state *s, int t, struct event *out)
{
    const struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    int timed = i->op == SIM_TIMEDWAIT;
    out->object = sim_sync_address(i->imm);
    out->other = sim_sync_address(i->imm2);
    out->flags = timed ? EVENT_TIMED : 0;
    if (th->phase == 1 && timed && !th->signalled) {
        out->kind = EV_COND_TIMEOUT;
        out->other = 0;
    } else if (th->phase) {
        out->kind = EV_COND_WAKE;
        out->object = sim_sync_address(i->imm2);
        out->other = sim_sync_address(i->imm);
    }
}

int sim_joined(const struct sim_state *s, int t)
{
    return s->t[t].state == JOINING ? s->t[t].joining : -1;
}

void sim_pending(const struct sim_state *s, int t, struct event *out)
{
    const struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    *out = (struct event){.thread = (uint16_t)t, .index = th->events};
    if (th->state != READY) /* parked: nothing to perform, EV_NONE */
        return;
    if (i->op >= SIM_SEND) {
        sim_more_pending(s, t, out);
        return;
    }
    out->kind = kinds[i->op];
    if (i->op <= SIM_FREE) {
        out->object = (uint64_t)sim_address_of(s, t) + 8;
        out->size = i->size;
        out->flags = th->spinning ? EVENT_SPINNING : th->spun ? EVENT_SPUN : 0;
        if (i->op == SIM_CAS)
            out->value = (uint64_t)i->imm2, out->other = (uint64_t)i->imm;
    } else if (i->op == SIM_WAIT || i->op == SIM_TIMEDWAIT) {
        pending_wait(s, t, out);
    } else {
        out->object = sim_sync_address(sim_object_of(s, t));
    }
}

static void do_memory(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    int at = sim_address_of(s, t), size = i->size;
    int64_t old = i->op == SIM_FREE ? 0 : sim_load(s, at, size);
    ev->value = (uint64_t)old;
    switch (i->op) {
    case SIM_LOAD:
        th->r[i->a] = (int32_t)old;
        break;
    case SIM_SPIN:
        th->spun = 0;
        if (old == i->imm) {
            th->spinning = 1;
            return;
        }
        break;
    case SIM_STORE:
        ev->value = (uint64_t)(int64_t)(i->imm + (i->a >= 0 ? th->r[i->a] : 0));
        ev->other = (uint64_t)old;
        break;
    case SIM_ADD:
        ev->value = (uint64_t)(old + i->imm);
        ev->other = (uint64_t)old;
        if (i->a >= 0)
            th->r[i->a] = (int32_t)old;
        break;
    case SIM_CAS:
        ev->kind = old == i->imm ? EV_RMW : EV_CAS_FAIL;
        ev->flags |= old == i->imm ? EVENT_COMPARE : EVENT_FAILED;
        ev->value = old == i->imm ? (uint64_t)(int64_t)i->imm2 : (uint64_t)old;
        ev->other = (uint64_t)(int64_t)i->imm;
        if (i->a >= 0)
            th->r[i->a] = old == i->imm;
        break;
    default:
        break;
    }
    th->pc++;
    if (event_class(ev->kind) != CLASS_READ && i->op != SIM_FREE)
        store(s, at, size, (int64_t)ev->value);
}

static void give_result(struct sim_state *s, int t, const struct sim_instr *i, int result,
                        struct event *ev)
{
    if (i->a >= 0)
        s->t[t].r[i->a] = result;
    s->t[t].pc++;
    if (ev->kind < EV_SEM_WAIT || ev->kind >= EV_RDLOCK)
        ev->value = (uint64_t)result;
    else
        ev->other = (uint64_t)result;
    if (!result)
        ev->flags |= EVENT_FAILED;
}

static void do_wait(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    if (th->phase == 0) {
        assert(s->owner[i->imm2] == t + 1);
        s->owner[i->imm2] = 0;
        th->phase = 1;
        th->signalled = th->timed = th->hands_on = 0;
    } else if (ev->kind == EV_COND_TIMEOUT) {
        th->signalled = th->timed = 1;
        th->phase = 2;
    } else {
        s->owner[i->imm2] = (int16_t)(t + 1);
        ev->value = 1;
        th->phase = 0;
        if (i->a >= 0)
            th->r[i->a] = th->timed;
        th->pc++;
    }
}

static int waiting_on(const struct sim_state *s, int t, int cond)
{
    const struct sim_thread *th = &s->t[t];
    if (th->state != READY || th->phase != 1 || th->signalled)
        return 0;
    return sim_instr_of(s, t)->imm == cond;
}

void sim_signal(struct sim_state *s, int condition, int all, struct event *ev, struct sim_branches *b)
{
    int n = 0, waiters[SIM_THREADS];
    for (int q = 0; q < s->threads; q++)
        if (waiting_on(s, q, condition))
            waiters[n++] = q;
    ev->other = (uint64_t)n;
    if (all) {
        ev->value = (uint64_t)n;
        for (int k = 0; k < n; k++)
            s->t[waiters[k]].signalled = 1;
    } else if (n) {
        int k = n > 1 ? b->ask(b->ctx, ev, n) : 0;
        s->t[waiters[k]].signalled = s->t[waiters[k]].hands_on = 1;
        ev->value = (uint64_t)waiters[k] + 1;
    }
}

static void do_signal(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev,
                      struct sim_branches *b)
{
    sim_signal(s, i->imm, i->op == SIM_BROADCAST, ev, b);
    s->t[t].pc++;
}

static void do_sync(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    int o = sim_object_of(s, t), me = t + 1;
    int16_t *owner = &s->owner[o], *count = &s->count[o];
    switch (i->op) {
    case SIM_LOCK: case SIM_TRYLOCK: case SIM_TIMEDLOCK:
        give_result(s, t, i, *owner == 0, ev);
        if (ev->value)
            *owner = (int16_t)me;
        break;
    case SIM_UNLOCK:
        assert(*owner == me);
        *owner = 0;
        s->t[t].pc++;
        break;
    case SIM_SEM_WAIT: case SIM_SEM_TRY: case SIM_SEM_TIMED:
        give_result(s, t, i, *count > 0, ev);
        *count = (int16_t)(*count - (ev->other ? 1 : 0));
        ev->value = (uint64_t)*count;
        break;
    case SIM_SEM_POST:
        ev->value = (uint64_t)++*count;
        s->t[t].pc++;
        break;
    case SIM_SEM_VALUE:
        ev->value = (uint64_t)*count;
        s->t[t].r[i->a] = *count;
        s->t[t].pc++;
        break;
    case SIM_RDLOCK: case SIM_TRYRD:
        give_result(s, t, i, *owner == 0, ev);
        *count = (int16_t)(*count + (int)ev->value);
        break;
    case SIM_WRLOCK: case SIM_TRYWR:
        give_result(s, t, i, *owner == 0 && *count == 0, ev);
        if (ev->value)
            *owner = (int16_t)me;
        break;
    case SIM_RW_UNLOCK:
        ev->value = *owner == me;
        if (*owner == me)
            *owner = 0;
        else
            --*count;
        s->t[t].pc++;
        break;
    default:
        assert(!"a visible instruction");
    }
}

static void do_barrier(struct sim_state *s, int t, struct event *ev, struct sim_log *log,
                       struct sim_branches *b)
{
    int o = sim_object_of(s, t);
    if (++s->owner[o] < s->p->initial[o]) {
        s->t[t].state = AT_BARRIER;
        ev->other = (uint64_t)(s->p->initial[o] - s->owner[o]);
        sim_emit(s, log, ev);
        return;
    }
    s->owner[o] = 0;
    ev->value = 1;
    s->t[t].pc++;
    sim_emit(s, log, ev);
    for (int q = 0; q < s->threads; q++)
        if (s->t[q].state == AT_BARRIER && sim_object_of(s, q) == o) {
            s->t[q].state = READY;
            s->t[q].pc++;
            sim_emit_local(s, log, q, EV_BARRIER_LEAVE, ev->object, 0, 0);
            sim_run_local(s, q, log, b);
        }
    sim_run_local(s, t, log, b);
}

void sim_step(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b)
{
    struct event ev;
    assert(sim_enabled(s, t));
    sim_pending(s, t, &ev);
    const struct sim_instr *i = sim_instr_of(s, t);
    if (i->op >= SIM_SEND) {
        sim_more_step(s, t, &ev, log, b);
        sim_run_local(s, t, log, b);
        return;
    }
    if (is_barrier_op(s, t)) {
        do_barrier(s, t, &ev, log, b);
        return;
    }
    if (i->op <= SIM_FREE)
        do_memory(s, t, i, &ev);
    else if (i->op == SIM_WAIT || i->op == SIM_TIMEDWAIT)
        do_wait(s, t, i, &ev);
    else if (i->op == SIM_SIGNAL || i->op == SIM_BROADCAST)
        do_signal(s, t, i, &ev, b);
    else
        do_sync(s, t, i, &ev);
    sim_emit(s, log, &ev);
    sim_run_local(s, t, log, b);
}
