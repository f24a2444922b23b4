/* Condition variables. Waiting is two steps: COND_WAIT gives the mutex back and queues, COND_WAKE
 * takes the mutex again once signalled. Which of several waiters a signal wakes is a choice; whether
 * a timed wait times out before it is signalled is a question of when COND_TIMEOUT is scheduled.
 * With --spurious every thread may wake up once without a signal: a COND_TIMEOUT that has failed, which in a
 * timed wait is a choice (if the thread still may).
 *
 * A request to cancel a waiter makes it leave the queue. If both a signal and a request come before the
 * waiter has left the queue or has the mutex again, either may be: it is cancelled, or the wait returns
 * and the request stays (POSIX, 2.9.5.2). A waiter that is cancelled does not consume the signal but
 * hands it on. */
#include "rt/check/life.h"
#include "rt/core/block.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define DESTROYED 0x6c61u /* left in the memory of one: see sync_mutex.c */

static struct sync *cond_of(const pthread_cond_t *c)
{
    struct sync *s = sync_get((uintptr_t)c, SYNC_COND);
    if (RT_UNLIKELY(s->destroyed) && c->__data.__wrefs != DESTROYED)
        s = sync_fresh((uintptr_t)c, SYNC_COND);
    return s;
}

/* Error-checking and robust mutexes have an error for it. */
static bool is_held(const struct sync *m, uint64_t pc)
{
    if (m->owner == rt.current)
        return true;
    if (m->kind != MUTEX_ERRORCHECK && !m->robust)
        sync_misuse(m, pc, "a condition wait is called without holding its mutex {}");
    return false;
}

/* Takes the mutex again; the thread has been signalled or has timed out. A robust one may have lost its owner
 * meanwhile. */
static int wake(struct sync *c, struct sync *m, int depth, uint64_t pc)
{
    struct event *op = &rt.next[rt.current];
    sync_acquire(c);
    object_perform(&m->now, op);
    bool taken = op->value;
    if (taken) {
        rt.held++;
        sync_taken(m, pc);
    }
    sched_log(op);
    rt.self->signalled = false;
    if (!taken)
        return ENOTRECOVERABLE;
    m->count = depth;
    return m->dead == MUTEX_OWNER_DIED ? EOWNERDEAD : 0;
}

static int do_signal(struct sync *c, bool all, uint64_t pc);

/* Signalled, and then asked to end. */
static void cancelled_or_not(struct sync *c, struct event *op, uint64_t pc)
{
    struct thread *me = rt.self;
    op->value = (uint64_t)sched_branch(op, 2);
    me->interrupted = op->value;
    me->resumes = !op->value;
    if (me->resumes)
        op->flags |= EVENT_FAILED;
    else
        sync_acquire(sync_get(op->object, SYNC_OTHER));
    sched_log(op);
    if (me->interrupted && me->hands_on)
        do_signal(c, false, pc);
}

/* The waiter stands before its COND_WAKE or COND_TIMEOUT; a signal handler that is to run meanwhile
 * (block_interrupt) runs without the mutex. */
static struct event *wait_for_wake(struct sync *c, struct sync *m, bool timed, uint64_t pc)
{
    struct thread *me = rt.self;
    struct event *op;
    for (;;) {
        if (RT_UNLIKELY(me->attention) && !cancel_acts(me)) {
            me->attention = false;
            signals_attend();
        }
        if (timed && !me->signalled) {
            op = sched_op(EV_COND_TIMEOUT, c->address, 0, pc);
            op->flags = EVENT_TIMED | cancel_flag();
        } else {
            op = sched_op(EV_COND_WAKE, m->address, 0, pc);
            op->other = c->address;
            op->flags = cancel_flag();
        }
        me->reacquire = m;
        me->in_cond_wait = true;
        sched_visit_blocking(m);
        me->in_cond_wait = false;
        if (RT_UNLIKELY(op->kind == EV_COND_CANCEL))
            cancelled_or_not(c, op, pc);
        else if (RT_UNLIKELY(op->kind == EV_SIGNAL_WAIT))
            sched_log(op);
        else
            return op;
    }
}

/* The limit of a timed wait; none: NULL. */
struct limit {
    clockid_t clock;
    const struct timespec *at;
};

static bool may_wake_spuriously(void)
{
    return rt.shared->config.spurious && !rt.self->woke_spuriously && !rt.self->interrupted;
}

/* The wait ends without a signal: its time is over, the thread is cancelled, or for no reason. */
static int not_signalled(struct sync *c, struct sync *m, int depth, struct limit limit, struct event *op)
{
    bool timed = limit.at != NULL;
    uint64_t pc = op->pc;
    bool spurious = may_wake_spuriously() && (!timed || sched_branch(op, 2) == 1);
    if (spurious) {
        op->flags |= EVENT_FAILED;
        rt.self->woke_spuriously = true;
    } else if (timed) {
        clock_timed_out(limit.clock, limit.at, pc);
    }
    object_perform(&c->now, op);
    sched_log(op);
    rt.self->signalled = true; /* nothing more to wait for but the mutex */
    wait_for_wake(c, m, false, pc);
    int status = wake(c, m, depth, pc);
    return status || spurious ? status : ETIMEDOUT;
}

static int do_wait(struct sync *c, struct sync *m, struct limit limit, uint64_t pc)
{
    bool timed = limit.at != NULL;
    if (timed && (!clock_may_limit(limit.clock) || !clock_valid(limit.at)))
        return EINVAL;
    if (!is_held(m, pc))
        return EPERM;
    struct event *op = sched_op(EV_COND_WAIT, c->address, 0, pc);
    op->other = m->address;
    op->flags = (uint8_t)((timed || may_wake_spuriously() ? EVENT_TIMED : 0) | cancel_flag());
    if (RT_UNLIKELY(rt.cancels)) {
        struct event announced = *op;
        cancel_point(pc);
        *op = announced;
    }
    sched_visit_blocking(c);
    life_use(c, op);
    int depth = m->count;
    object_perform(&c->now, op);
    sched_log(op);
    operation_of(op->kind)->perform_other(&m->now, op);
    rt.held--;
    sync_given(m);

    rt.self->signalled = rt.self->hands_on = false;
    op = wait_for_wake(c, m, timed || may_wake_spuriously(), pc);
    int status = op->kind == EV_COND_TIMEOUT ? not_signalled(c, m, depth, limit, op) : wake(c, m, depth, pc);
    if (RT_UNLIKELY(rt.self->interrupted)) {
        tset_remove(&c->holders, rt.current);
        block_was_interrupted(pc); /* a handler ran: a spurious wake-up */
    }
    rt.self->resumes = false;
    return status;
}

static void wake_up(struct sync *c, int waiter)
{
    struct thread *t = &rt.all[waiter];
    struct event *op = &rt.next[waiter];
    t->signalled = true;
    if (RT_UNLIKELY(!t->in_cond_wait)) /* it runs a signal handler */
        return;
    op->kind = EV_COND_WAKE;
    op->object = t->reacquire->address;
    op->other = c->address;
    op->flags &= (uint8_t)~(EVENT_TIMED | EVENT_SPUN);
    if (RT_UNLIKELY(t->interrupted)) { /* it is to be cancelled: as if the request came now */
        t->interrupted = false;
        block_interrupt(waiter);
    }
    sync_recheck(waiter);
}

static int do_signal(struct sync *c, bool all, uint64_t pc)
{
    struct event *op = sched_op(all ? EV_COND_BROADCAST : EV_COND_SIGNAL, c->address, 0, pc);
    sched_visit_blocking(c);
    life_use(c, op);
    struct tset waiting = c->holders;
    int n = tset_count(&waiting);
    if (n)
        sync_release(c);
    op->other = (uint64_t)n;
    if (!all && n)
        op->value = (uint64_t)tset_nth(&waiting, sched_branch(op, n)) + 1;
    object_perform(&c->now, op);
    TSET_FOR(t, &waiting)
        if (object_wakes(op, (unsigned)t)) {
            rt.all[t].hands_on |= !all;
            wake_up(c, t);
        }
    sched_log(op);
    return 0;
}

int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until, uint64_t pc)
{
    return do_wait(cond_of(c), mutex_of(m), (struct limit){CLOCK_REALTIME, until}, pc);
}

int cond_signal(pthread_cond_t *c, bool all, uint64_t pc)
{
    return do_signal(cond_of(c), all, pc);
}

RT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    PASSIVE(pthread_cond_wait, c, m);
    return do_wait(cond_of(c), mutex_of(m), (struct limit){0, NULL}, RT_CALLER());
}

/* glibc keeps the clock of a condition in bit 1 of __wrefs. */
static clockid_t clock_of(const pthread_cond_t *c)
{
    return c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

RT_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     const struct timespec *until)
{
    PASSIVE(pthread_cond_timedwait, c, m, until);
    return do_wait(cond_of(c), mutex_of(m), (struct limit){clock_of(c), until}, RT_CALLER());
}

RT_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                     const struct timespec *until)
{
    PASSIVE(pthread_cond_clockwait, c, m, clock, until);
    return do_wait(cond_of(c), mutex_of(m), (struct limit){clock, until}, RT_CALLER());
}

RT_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
    PASSIVE(pthread_cond_signal, c);
    return do_signal(cond_of(c), false, RT_CALLER());
}

RT_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
    PASSIVE(pthread_cond_broadcast, c);
    return do_signal(cond_of(c), true, RT_CALLER());
}

RT_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
    strings_read(attr, attr ? sizeof *attr : 0, RT_PC());
    int status = REAL(pthread_cond_init)(c, attr);
    if (rt.active && status == 0)
        life_begin((uintptr_t)c, SYNC_COND, RT_CALLER());
    return status;
}

RT_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
    PASSIVE(pthread_cond_destroy, c);
    life_destroy(cond_of(c), RT_CALLER());
    c->__data.__wrefs = DESTROYED;
    return 0;
}
