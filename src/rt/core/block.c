/* Waiting for anything that is not a synchronization object: data in a pipe, a signal, the end of a
 * thread. The first attempt is always possible; if what the thread wants is not there, the attempt is a
 * failed one (it only read the object) and the thread is blocked: its next attempt is pending with
 * EVENT_SPINNING set, just as for a thread that waits in a spin loop, until an operation of another
 * thread has made its condition true. So engines need to know nothing of these objects: they are memory
 * that is read and written. A timed wait does not block: its failed attempt is the timeout, and
 * whether that comes first is a question of when it is scheduled. */
#include "rt/core/block.h"

#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/signals.h"

#include "rt/core/spin.h"

static void may_go_on(int thread)
{
    struct event *op = &rt.next[thread];
    if (!(op->flags & EVENT_SPINNING))
        return;
    op->flags = (uint8_t)((op->flags & ~EVENT_SPINNING) | EVENT_SPUN);
    rt.all[thread].enabled_by = sched_event_now();
    tset_add(&rt.enabled, thread);
}

static void must_wait(int thread)
{
    struct event *op = &rt.next[thread];
    if (op->flags & EVENT_SPINNING)
        return;
    op->flags |= EVENT_SPINNING;
    tset_remove(&rt.enabled, thread);
}

static bool is_ready(const struct blocker *b, int thread)
{
    return b->ready ? b->ready(b) : object_possible(b->state, &rt.next[thread]);
}

void block_recheck(void)
{
    TSET_FOR(t, &rt.blocked) {
        const struct thread *th = &rt.all[t];
        if (th->state != THREAD_PENDING)
            continue;
        if (th->interrupted || is_ready(th->block, t))
            may_go_on(t);
        else
            must_wait(t);
    }
}

/* A cancelled thread leaves the queue of the condition before it takes the mutex again. One that has been
 * signalled before may be cancelled or not: see sync_cond.c. */
static void cut_short(struct thread *t, struct event *op)
{
    if (t->resumes)
        return;
    op->flags |= EVENT_SPUN;
    const struct operation *o = operation_of(op->kind);
    if (cancel_acts(t) && o->instead && t->signalled && !t->interrupted) {
        op->kind = EV_COND_CANCEL;
        op->object = EVENT_CANCEL_OBJECT(t->id);
        op->size = 8;
        return;
    }
    t->interrupted = true;
    if (cancel_acts(t) && o->instead && !t->signalled) {
        op->kind = o->instead;
        op->object = op->other;
    }
}

void block_not_at_all(void)
{
    if (block_interruptible(rt.self))
        cut_short(rt.self, &rt.next[rt.current]);
}

void block_interrupt(int thread)
{
    struct thread *t = &rt.all[thread];
    if (t->state != THREAD_PENDING)
        return;
    if (t->block) {
        t->interrupted = true;
        may_go_on(thread);
    } else if (t->in_cond_wait && !t->signalled && !cancel_acts(t) &&
               operation_of(rt.next[thread].kind)->instead) {
        struct event *op = &rt.next[thread];
        op->kind = EV_SIGNAL_WAIT;
        op->object = SIGNAL_OBJECT;
        op->other = 0;
        op->size = 8;
        sync_recheck(thread);
    } else if (t->waits && block_interruptible(t)) {
        cut_short(t, &rt.next[thread]);
        sync_recheck(thread);
    } else if (rt.next[thread].flags & EVENT_SPINNING && (cancel_any_time(t) || signals_come(t))) {
        may_go_on(thread);
    } else if (rt.next[thread].kind != EV_THREAD_END && rt.next[thread].kind != EV_CANCEL_POINT &&
               t->cancel_async && cancel_acts(t)) {
        struct event *op = &rt.next[thread]; /* performed later, or not any more: sched_visit */
        t->announced = *op;
        op->kind = EV_CANCEL_POINT;
        op->flags |= EVENT_CANCELLABLE;
        op->object = EVENT_CANCEL_OBJECT(thread);
        op->size = 8;
        t->interrupted = true;
    }
}

void block_cancel(int thread)
{
    const struct thread *t = &rt.all[thread];
    if (t->cancel_async || !operation_is(rt.next[thread].kind, OP_NO_CANCEL_POINT))
        block_interrupt(thread);
}

bool block_interruptible(const struct thread *t)
{
    return operation_is(rt.next[t->id].kind, OP_INTERRUPTIBLE) || (t->cancel_async && cancel_acts(t));
}

static void announce_wait(struct blocker *b)
{
    struct event *op = &rt.next[rt.current];
    op->flags |= is_ready(b, rt.current) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
    spin_clear(rt.self);
    rt.self->block = b;
    tset_add(&rt.blocked, rt.current);
    sched_visit();
    tset_remove(&rt.blocked, rt.current);
    rt.self->block = NULL;
}

bool block_was_interrupted(uint64_t pc)
{
    bool cancels = rt.self->cancel_async || !operation_is(rt.next[rt.current].kind, OP_NO_CANCEL_POINT);
    rt.self->interrupted = false;
    rt.self->attention = cancel_any_time(rt.self);
    if (cancels)
        cancel_point(pc);
    return signals_attend();
}

void block_came_first(void)
{
    rt.self->interrupted = false;
    rt.self->attention = cancel_any_time(rt.self);
    signals_attend();
}

/* As above; poll, select and sigtimedwait are never restarted (SA_RESTART). */
static bool wait_ends(enum event_kind kind, uint64_t pc)
{
    uint32_t before = signals_handled();
    if (!rt.self->interrupted && !rt.self->attention)
        return false;
    bool ends = block_was_interrupted(pc);
    return ends || (operation_is(kind, OP_NOT_RESTARTED) && signals_handled() != before);
}

enum block_result block_wait(struct blocker *b, const struct block_op *w, uint64_t pc)
{
    enum event_kind kind = w->kind;
    bool timed = w->timed;
    bool waited = w->waits || (operation_is(kind, OP_QUEUED) && !timed);
    if (timed)
        sched_yielded(pc);
    for (;;) {
        struct event *op = sched_op(kind, b->object, w->size, pc);
        op->other = w->other;
        op->flags = operation_is(kind, OP_NO_CANCEL_POINT) ? 0 : cancel_flag();
        rt.self->interrupted = false;
        if (waited)
            announce_wait(b);
        else
            sched_visit();
        if (is_ready(b, rt.current))
            return BLOCK_READY;
        op->flags |= EVENT_FAILED;
        sched_log(op);
        if (wait_ends(kind, pc))
            return BLOCK_INTERRUPTED;
        if (timed)
            return BLOCK_TIMEOUT;
        waited = true;
    }
}

void block_done(struct event *op)
{
    sched_log(op);
    block_recheck();
}
