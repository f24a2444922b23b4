/* Waits that a request to cancel their thread ends: on a condition, with a time limit or without, on a
 * semaphore with a time limit, for the end of a thread. From POSIX 2.9.5: each begins with a cancellation
 * point; a waiter that is cancelled has its mutex again when its handler runs (at `at`); one that was
 * signalled, or whose time was over, before it is cancelled may be cancelled or go on, and hands a signal
 * that it does not use on to another one. Cancelling is deferred. */
#include "machine.h"

#include <assert.h>

enum { BEFORE, WAITING, AGAIN, CANCELLED, HANDS_ON }; /* phases; AGAIN: nothing left but the mutex */

static int asked(const struct sim_thread *th)
{
    return th->wanted && !th->off;
}

static int is_wait(const struct sim_instr *i)
{
    return i->op == SIM_CANCEL_WAIT || i->op == SIM_CANCEL_TIMEDWAIT;
}

static int at_point(const struct sim_thread *th)
{
    return th->phase == CANCELLED || (th->phase == BEFORE && !th->off && !th->passed);
}

/* Signalled or too late, and asked to end before it had the mutex. */
static int may_be_either(const struct sim_thread *th)
{
    return (th->phase == AGAIN || (th->phase == WAITING && th->signalled)) && asked(th) && !th->interrupted &&
           !th->resumes;
}

static int leaves_queue(const struct sim_thread *th, const struct sim_instr *i)
{
    return th->phase == WAITING && !th->signalled && (asked(th) || i->op == SIM_CANCEL_TIMEDWAIT);
}

int sim_ending_enabled(const struct sim_state *s, int t)
{
    const struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    if (!is_wait(i) || th->phase == BEFORE || th->phase >= CANCELLED || may_be_either(th) ||
        leaves_queue(th, i))
        return 1;
    return (th->phase == AGAIN || th->signalled) && !s->owner[i->imm2];
}

static uint64_t requests_to(int t)
{
    return EVENT_CANCEL_OBJECT(t);
}

static void pending_wait(const struct sim_thread *th, const struct sim_instr *i, struct event *out)
{
    uint64_t condition = sim_sync_address(i->imm), mutex = sim_sync_address(i->imm2);
    int timed = i->op == SIM_CANCEL_TIMEDWAIT;
    out->flags = th->off ? 0 : EVENT_CANCELLABLE;
    out->object = condition;
    if (th->phase == BEFORE) {
        out->kind = EV_COND_WAIT;
        out->other = mutex;
        out->flags |= timed ? EVENT_TIMED : 0;
    } else if (th->phase == HANDS_ON) {
        out->kind = EV_COND_SIGNAL;
        out->flags = 0;
    } else if (may_be_either(th)) {
        out->kind = EV_COND_CANCEL;
        out->object = requests_to(out->thread);
        out->size = 8;
        out->other = condition;
    } else if (leaves_queue(th, i)) {
        out->kind = EV_COND_TIMEOUT;
        out->flags |= timed ? EVENT_TIMED : EVENT_SPUN;
    } else {
        out->kind = EV_COND_WAKE;
        out->object = mutex;
        out->other = condition;
    }
}

void sim_ending_pending(const struct sim_state *s, int t, struct event *out)
{
    const struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    if (at_point(th)) {
        out->kind = EV_CANCEL_POINT;
        out->object = requests_to(t);
        out->size = 8;
    } else if (i->op == SIM_CANCEL_SEMTIMED) {
        out->kind = EV_SEM_TIMEDWAIT;
        out->object = sim_sync_address(i->imm);
    } else {
        pending_wait(th, i, out);
    }
}

static void done(struct sim_state *s, int t, int result)
{
    struct sim_thread *th = &s->t[t];
    th->signalled = th->interrupted = th->resumes = th->hands_on = th->passed = th->timed = 0;
    sim_done(s, t, result);
}

static void point(struct sim_state *s, int t, struct event *ev)
{
    struct sim_thread *th = &s->t[t];
    const struct sim_instr *i = sim_instr_of(s, t);
    if (!asked(th)) {
        assert(th->phase == BEFORE);
        ev->flags |= EVENT_FAILED;
        th->passed = 1;
        return;
    }
    ev->value = 1;
    done(s, t, 2);
    th->off = 1;
    th->r[SIM_REGS - 1] = -1;
    th->pc = i->at ? (uint16_t)i->at : s->p->length[th->program] - 1;
}

static void either(struct sim_thread *th, struct event *ev, struct sim_branches *b)
{
    ev->value = (uint64_t)b->ask(b->ctx, ev, 2);
    th->interrupted = ev->value != 0;
    th->resumes = !th->interrupted;
    th->phase = th->interrupted && th->hands_on ? HANDS_ON : AGAIN;
    if (th->resumes)
        ev->flags |= EVENT_FAILED;
}

static void wait(struct sim_state *s, int t, const struct sim_instr *i, struct event *ev,
                 struct sim_branches *b)
{
    struct sim_thread *th = &s->t[t];
    switch (ev->kind) {
    case EV_COND_WAIT:
        assert(s->owner[i->imm2] == t + 1);
        s->owner[i->imm2] = 0;
        th->phase = WAITING;
        break;
    case EV_COND_SIGNAL:
        sim_signal(s, i->imm, 0, ev, b);
        th->phase = AGAIN;
        break;
    case EV_COND_CANCEL:
        either(th, ev, b);
        break;
    case EV_COND_TIMEOUT:
        th->interrupted = asked(th);
        th->timed = 1;
        th->phase = AGAIN;
        break;
    default:
        s->owner[i->imm2] = (int16_t)(t + 1);
        ev->value = 1;
        if (th->interrupted)
            th->phase = CANCELLED;
        else
            done(s, t, th->timed);
    }
}

void sim_ending_step(struct sim_state *s, int t, struct event *ev, struct sim_branches *b)
{
    const struct sim_instr *i = sim_instr_of(s, t);
    if (ev->kind == EV_CANCEL_POINT) {
        point(s, t, ev);
    } else if (ev->kind == EV_SEM_TIMEDWAIT) {
        int got = s->count[i->imm] > 0;
        s->count[i->imm] = (int16_t)(s->count[i->imm] - got);
        ev->value = (uint64_t)s->count[i->imm];
        ev->other = (uint64_t)got;
        ev->flags |= got ? 0 : EVENT_FAILED;
        done(s, t, got);
    } else {
        wait(s, t, i, ev, b);
    }
}

int sim_ending_joins(const struct sim_state *s, int t)
{
    return sim_instr_of(s, t)->op == SIM_CANCEL_JOIN && !at_point(&s->t[t]);
}

void sim_ending_asked(struct sim_state *s, int t)
{
    struct sim_thread *th = &s->t[t];
    if (th->state == JOINING && asked(th) && sim_instr_of(s, t)->op == SIM_CANCEL_JOIN) {
        th->state = READY;
        th->phase = CANCELLED;
    }
}
