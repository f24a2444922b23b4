/* Message queues, futexes, descriptors and cancellation, from the manual pages. What waits for a
 * descriptor or futex tries first and, if that fails, waits until it can go on; cancellation is
 * deferred, its points are TESTCANCEL and CANCEL_SEM. */
#include "machine.h"

#include "object/object.h"

#include <assert.h>

/* ---- queues --------------------------------------------------------------------------------------- */

static int is_full(const struct sim_state *s, int queue)
{
    return s->box[queue - SIM_BOX].count >= s->p->initial[queue];
}

static void put(struct sim_state *s, const struct sim_instr *i)
{
    struct sim_box *box = sim_box_of(s, i->imm);
    int k = box->count++; /* behind all of the same or a higher priority */
    for (; k > 0 && box->m[k - 1].priority < i->at; k--)
        box->m[k] = box->m[k - 1];
    box->m[k] = (struct sim_message){.value = (int8_t)i->imm2, .priority = (int8_t)i->at,
                                     .event = s->logged};
}

static void queue(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    struct sim_box *box = sim_box_of(s, i->imm);
    int sends = i->op == SIM_QSEND || i->op == SIM_QTRYSEND, result = -1;
    if (i->op == SIM_QCOUNT) {
        result = box->count;
    } else if (sends ? is_full(s, i->imm) : !box->count) {
        ev->flags |= EVENT_FAILED;
    } else if (sends) {
        put(s, i);
        result = 0;
    } else {
        result = box->m[0].value * 10 + box->m[0].priority;
        ev->match = box->m[0].event + 1;
        sim_take_out(box, 0);
    }
    ev->value = (uint64_t)box->count;
    ev->other = (uint64_t)s->p->initial[i->imm];
    sim_done(s, t, result);
}

/* ---- futexes -------------------------------------------------------------------------------------- */

static void futex_wait(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    if (th->phase) {
        if (th->awaits)
            ev->flags |= EVENT_FAILED;
        sim_done(s, t, th->awaits ? -2 : 0);
        th->awaits = 0;
        return;
    }
    ev->value = (uint32_t)sim_load(s, i->at, 4);
    if ((int32_t)ev->value != i->imm) {
        ev->flags |= EVENT_FAILED;
        sim_done(s, t, -1);
        return;
    }
    th->phase = 1;
    th->awaits = (uint8_t)(i->at + 1);
}

static void futex_wake(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev,
                       struct sim_branches *b)
{
    int n = 0, woken = 0, last = 0, waiters[SIM_THREADS];
    for (int q = 0; q < s->threads; q++)
        if (s->t[q].state == READY && s->t[q].awaits == i->at + 1)
            waiters[n++] = q;
    for (; n > 0 && woken < i->imm; woken++) {
        int k = i->imm - woken < n ? b->ask(b->ctx, ev, n) : 0;
        last = waiters[k];
        s->left |= 1u << last;
        s->t[last].awaits = 0;
        for (n--; k < n; k++)
            waiters[k] = waiters[k + 1];
    }
    ev->value = (uint64_t)woken;
    ev->other = !n ? 0 : woken == 1 ? (uint64_t)last + 1 : FUTEX_SOME;
    if (ev->other != FUTEX_SOME)
        s->left = 0; /* it says all */
    sim_done(s, t, woken);
}

/* ---- descriptors ---------------------------------------------------------------------------------- */

static int can_read(const struct sim_state *s, int o)
{
    if ((s->p->kind[o] & 3) == SIM_PIPE)
        return s->box[o - SIM_BOX].count || !s->count[o]; /* bytes, or nobody writes any more */
    return s->owner[o] > 0;                               /* the counter */
}

static void descriptor(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    int o = i->imm, kind = s->p->kind[o] & 3, result = 0;
    struct sim_box *box = sim_box_of(s, o);
    if (i->op == SIM_CLOSE) {
        s->count[o]--;
    } else if (i->op == SIM_WRITE && kind == SIM_PIPE) {
        assert(box->count < SIM_MESSAGES);
        box->m[box->count++].value = (int8_t)i->imm2;
        ev->value = 1;
    } else if (i->op == SIM_WRITE) {
        s->owner[o] = (int16_t)(s->owner[o] + i->imm2);
        ev->value = 8;
    } else if (!can_read(s, o)) {
        ev->flags |= EVENT_FAILED;
        if (!(s->p->kind[o] & SIM_TRIES)) {
            s->t[t].phase = 1;
            return;
        }
        result = -1;
    } else if (kind == SIM_PIPE) {
        result = box->count ? box->m[0].value : 0;
        ev->value = box->count > 0;
        if (box->count)
            sim_take_out(box, 0);
    } else {
        result = kind == SIM_EVENT_ONE ? 1 : s->owner[o];
        s->owner[o] = (int16_t)(s->owner[o] - result);
        ev->value = 8;
    }
    sim_done(s, t, result);
}

/* ---- cancellation --------------------------------------------------------------------------------- */

static int acts(const struct sim_thread *th)
{
    return th->wanted && !th->off;
}

static void cancel(struct sim_state *s, int t, const struct sim_instr *i)
{
    int target = s->started[i->imm] - 1;
    assert(target >= 0 && target != t);
    struct sim_thread *th = &s->t[target];
    if (th->state != ENDED) {
        th->wanted = 1;
        if (th->state == READY && !th->off && sim_instr_of(s, target)->op == SIM_CANCEL_SEM &&
            th->phase == 1)
            th->interrupted = 1;
        sim_ending_asked(s, target);
    }
    sim_done(s, t, 0);
}

/* Where it is cancelled it goes to its end. */
static void cancel_point(struct sim_state *s, int t, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    if (!acts(th)) {
        ev->flags |= EVENT_FAILED;
        if (sim_instr_of(s, t)->op == SIM_TESTCANCEL)
            sim_done(s, t, 0);
        else
            th->phase = 1;
        return;
    }
    ev->value = 1;
    th->phase = 0;
    th->off = 1;
    th->r[SIM_REGS - 1] = -1;
    th->pc = s->p->length[th->program] - 1;
}

/* A point before it, the wait itself, and a point again if the request came first. */
static void cancel_sem(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    int got = s->count[i->imm] > 0;
    if (ev->kind == EV_CANCEL_POINT) {
        cancel_point(s, t, ev);
        return;
    }
    s->count[i->imm] = (int16_t)(s->count[i->imm] - got);
    ev->value = (uint64_t)s->count[i->imm];
    ev->other = (uint64_t)got;
    th->interrupted = 0;
    if (got) {
        sim_done(s, t, 1);
        return;
    }
    ev->flags |= EVENT_FAILED;
    th->phase = 2;
}

/* Without a point where a request would not be heard. */
static int at_point(const struct sim_state *s, int t)
{
    const struct sim_thread *th = &s->t[t];
    int op = sim_instr_of(s, t)->op;
    return op == SIM_TESTCANCEL || (op == SIM_CANCEL_SEM && (th->phase == 2 || (!th->phase && !th->off)));
}

/* ---- all of them ---------------------------------------------------------------------------------- */

int sim_system_enabled(const struct sim_state *s, int t)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    const struct sim_thread *th = &s->t[t];
    switch (i->op) {
    case SIM_QSEND: return !is_full(s, i->imm);
    case SIM_QRECEIVE: return s->box[i->imm - SIM_BOX].count > 0;
    case SIM_FUTEX_WAIT: return !th->phase || i->imm2 || !th->awaits;
    case SIM_READ: return !th->phase || can_read(s, i->imm);
    case SIM_CANCEL_SEM: return at_point(s, t) || s->count[i->imm] > 0 || th->interrupted;
    default: return 1;
    }
}

static const uint8_t kinds[] = {
    [SIM_QSEND] = EV_QUEUE_SEND, [SIM_QTRYSEND] = EV_QUEUE_TRYSEND,
    [SIM_QRECEIVE] = EV_QUEUE_RECEIVE, [SIM_QTRYRECEIVE] = EV_QUEUE_TRYRECEIVE,
    [SIM_QCOUNT] = EV_QUEUE_LOOK, [SIM_FUTEX_WAIT] = EV_FUTEX_WAIT, [SIM_FUTEX_WAKE] = EV_FUTEX_WAKE,
    [SIM_READ] = EV_IO_READ, [SIM_WRITE] = EV_IO_WRITE, [SIM_CLOSE] = EV_IO_CLOSE,
    [SIM_CANCEL] = EV_CANCEL, [SIM_TESTCANCEL] = EV_CANCEL_POINT, [SIM_CANCEL_SEM] = EV_SEM_WAIT,
    [SIM_END] = EV_THREAD_END,
};

static void waiting_flags(const struct sim_state *s, int t, struct event *out)
{
    if (s->t[t].phase)
        out->flags = sim_system_enabled(s, t) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
}

void sim_system_pending(const struct sim_state *s, int t, struct event *out)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    out->kind = kinds[i->op];
    if (i->op <= SIM_QCOUNT) {
        out->other = (uint64_t)s->p->initial[i->imm];
    } else if (i->op <= SIM_FUTEX_WAKE) {
        out->object = (uint64_t)i->at + 8;
        out->size = 4;
        if (i->op == SIM_FUTEX_WAIT && !s->t[t].phase)
            out->other = (uint32_t)i->imm;
        if (s->t[t].phase)
            out->kind = EV_FUTEX_RESUME;
        if (!i->imm2)
            waiting_flags(s, t, out);
    } else if (i->op <= SIM_CLOSE) {
        out->size = 8;
        waiting_flags(s, t, out);
    } else if (at_point(s, t)) {
        out->kind = EV_CANCEL_POINT;
        out->object = EVENT_CANCEL_OBJECT(t);
        out->size = 8;
    } else if (i->op == SIM_CANCEL_SEM) {
        out->flags = (uint8_t)((s->t[t].off ? 0 : EVENT_CANCELLABLE) |
                               (s->t[t].interrupted ? EVENT_SPUN : 0));
    } else {
        out->size = 8;
        out->object = i->op == SIM_CANCEL ? EVENT_CANCEL_OBJECT(s->started[i->imm] - 1)
                                          : THREAD_OBJECTS + 8 * (uint64_t)t;
        out->flags = i->op == SIM_END ? EVENT_CANCELLABLE : 0;
    }
}

void sim_system_step(struct sim_state *s, int t, struct event *ev, struct sim_branches *b)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    ev->flags &= (uint8_t)~EVENT_SPINNING;
    if (i->op <= SIM_QCOUNT)
        queue(s, t, i, ev);
    else if (i->op == SIM_FUTEX_WAIT)
        futex_wait(s, t, i, ev);
    else if (i->op == SIM_FUTEX_WAKE)
        futex_wake(s, t, i, ev, b);
    else if (i->op <= SIM_CLOSE)
        descriptor(s, t, i, ev);
    else if (i->op == SIM_CANCEL)
        cancel(s, t, i);
    else if (i->op == SIM_TESTCANCEL)
        cancel_point(s, t, ev);
    else if (i->op == SIM_CANCEL_SEM)
        cancel_sem(s, t, i, ev);
    else
        s->t[t].ending = 1;
}
