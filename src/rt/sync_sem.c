/* Semaphores and barriers. */
#include "rt/clock.h"
#include "rt/interpose.h"
#include "rt/spin.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static struct sync *sem_of(const sem_t *s)
{
    return sync_get((uintptr_t)s, SYNC_SEM);
}

static int fail(int code)
{
    errno = code;
    return -1;
}

int sync_sem_take(struct sync *s, enum event_kind kind, uint64_t pc)
{
    if (kind != EV_SEM_TRYWAIT)
        cancel_point(pc);
again:;
    struct event *op = sched_op(kind, s->address, 0, pc);
    if (kind == EV_SEM_TRYWAIT)
        spin_before_read(op);
    else if (kind == EV_SEM_WAIT)
        op->flags = cancel_flag();
    sched_visit_blocking(s);
    bool taken = s->count > 0;
    if (taken) {
        s->count--;
        sync_acquire(s);
        sync_changed(s);
    } else {
        op->flags |= EVENT_FAILED;
    }
    op->other = taken;
    op->value = (uint64_t)s->count;
    sched_log(op);
    if (RT_UNLIKELY(rt.self->interrupted)) {
        bool ends = block_was_interrupted(pc);
        if (!taken && !ends && kind == EV_SEM_WAIT)
            goto again;
        if (!taken && kind == EV_SEM_WAIT)
            return fail(EINTR);
    }
    return taken ? 0 : fail(kind == EV_SEM_TRYWAIT ? EAGAIN : ETIMEDOUT);
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
    int status = REAL(sem_init)(s, shared, value);
    if (rt.active && status == 0)
        sync_fresh((uintptr_t)s, SYNC_SEM)->count = (int32_t)value;
    return status;
}

RT_EXPORT int sem_destroy(sem_t *s)
{
    PASSIVE(sem_destroy, s);
    sem_of(s)->destroyed = true;
    return 0;
}

RT_EXPORT int sem_wait(sem_t *s)
{
    PASSIVE(sem_wait, s);
    return sync_sem_take(sem_of(s), EV_SEM_WAIT, RT_CALLER());
}

RT_EXPORT int sem_trywait(sem_t *s)
{
    PASSIVE(sem_trywait, s);
    return sync_sem_take(sem_of(s), EV_SEM_TRYWAIT, RT_CALLER());
}

static int timed_take(sem_t *s, clockid_t clock, const struct timespec *until, uint64_t pc)
{
    int status = sync_sem_take(sem_of(s), EV_SEM_TIMEDWAIT, pc);
    if (status)
        clock_timed_out(clock, until, pc);
    return status;
}

RT_EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
    PASSIVE(sem_timedwait, s, until);
    return timed_take(s, CLOCK_REALTIME, until, RT_CALLER());
}

RT_EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    PASSIVE(sem_clockwait, s, clock, until);
    return timed_take(s, clock, until, RT_CALLER());
}

int sync_sem_give(struct sync *s, enum event_kind kind, uint64_t pc)
{
    struct event *op = sched_op(kind, s->address, 0, pc);
    sched_visit_blocking(s);
    if (s->count == INT_MAX) {
        op->flags |= EVENT_FAILED;
        sched_log(op);
        return fail(EOVERFLOW);
    }
    s->count++;
    op->value = (uint64_t)s->count;
    sync_release(s);
    sync_changed(s);
    sched_log(op);
    return 0;
}

RT_EXPORT int sem_post(sem_t *sem)
{
    PASSIVE(sem_post, sem);
    return sync_sem_give(sem_of(sem), EV_SEM_POST, RT_CALLER());
}

RT_EXPORT int sem_getvalue(sem_t *sem, int *value)
{
    PASSIVE(sem_getvalue, sem, value);
    struct sync *s = sem_of(sem);
    struct event *op = sched_op(EV_SEM_GETVALUE, s->address, 0, RT_CALLER());
    spin_before_read(op);
    sched_visit_blocking(s);
    *value = s->count;
    op->value = (uint64_t)s->count;
    sched_log(op);
    return 0;
}

RT_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                                   unsigned count)
{
    int status = REAL(pthread_barrier_init)(b, attr, count);
    if (rt.active && status == 0)
        sync_fresh((uintptr_t)b, SYNC_BARRIER)->limit = count;
    return status;
}

RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
    PASSIVE(pthread_barrier_destroy, b);
    struct sync *s = sync_get((uintptr_t)b, SYNC_BARRIER);
    if (!tset_empty(&s->holders))
        sync_misuse(s, RT_CALLER(), "{} is destroyed while threads wait at it");
    s->destroyed = true;
    return 0;
}

static void open_barrier(struct sync *s)
{
    TSET_FOR(t, &s->holders) {
        vclock_join(&rt.all[t].clock, &s->clock);
        if (s->time > rt.all[t].time)
            rt.all[t].time = s->time;
        sched_run_local(t);
    }
    s->holders = (struct tset){{0}};
    s->count = 0;
    s->clock.n = 0;
}

RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
    PASSIVE(pthread_barrier_wait, b);
    struct sync *s = sync_get((uintptr_t)b, SYNC_BARRIER);
    uint64_t pc = RT_CALLER();
    struct event *op = sched_op(EV_BARRIER, s->address, 0, pc);
    sched_visit_blocking(s);
    bool last = (uint32_t)++s->count == s->limit;
    op->value = last;
    op->other = s->limit - (uint32_t)s->count;
    sync_release(s);
    sched_log(op);
    if (last) {
        sync_acquire(s);
        open_barrier(s);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    tset_add(&s->holders, rt.current);
    rt.self->waits = s;
    sched_wait_local(THREAD_PARKED);
    rt.self->waits = NULL;
    sched_log_local(EV_BARRIER_LEAVE, s->address, 0, 0, pc);
    return 0;
}
