/* Semaphores. */
#include "rt/check/life.h"
#include "rt/core/await_try.h"
#include "rt/core/block.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/strings.h"

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
    if (RT_UNLIKELY(rt.tries) && kind != EV_SEM_WAIT && kind != EV_BINARY_WAIT && await_try_waits(op, s))
        op->kind = EV_SEM_WAIT;
    else if (kind == EV_SEM_TRYWAIT)
        spin_before_read(op);
    else if (kind == EV_SEM_WAIT)
        op->flags = cancel_flag();
    life_check(s, pc);
    sched_visit_blocking(s);
    life_use(s, op);
    object_perform(&s->now, op);
    bool taken = op->other;
    if (taken && s->count >= (int32_t)s->posts && kind != EV_BINARY_WAIT)
        sync_changed(s); /* the initial tokens were enough, so no post comes before it: roles.def */
    else if (taken)
        sync_taken(s, pc);
    sched_log(op);
    if (RT_UNLIKELY(rt.self->interrupted) && taken) {
        block_came_first();
    } else if (RT_UNLIKELY(rt.self->interrupted)) {
        bool ends = block_was_interrupted(pc);
        if (kind == EV_SEM_WAIT && !ends)
            goto again;
        if (kind == EV_SEM_WAIT)
            return fail(EINTR);
    }
    if (RT_UNLIKELY(rt.tries) && !taken)
        await_try_failed();
    return taken ? 0 : fail(kind == EV_SEM_TRYWAIT ? EAGAIN : ETIMEDOUT);
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
    int status = REAL(sem_init)(s, shared, value);
    if (rt.active && status == 0)
        life_begin((uintptr_t)s, SYNC_SEM, RT_CALLER())->count = (int32_t)value;
    return status;
}

RT_EXPORT int sem_destroy(sem_t *s)
{
    PASSIVE(sem_destroy, s);
    life_destroy(sem_of(s), RT_CALLER());
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
    if (!clock_may_limit(clock) || !clock_valid(until))
        return fail(EINVAL);
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
    life_use(s, op);
    object_perform(&s->now, op);
    bool posted = !(op->flags & EVENT_FAILED);
    if (posted)
        sync_given(s);
    sched_log(op);
    return posted ? 0 : fail(EOVERFLOW);
}

RT_EXPORT int sem_post(sem_t *sem)
{
    PASSIVE(sem_post, sem);
    return sync_sem_give(sem_of(sem), EV_SEM_POST, RT_CALLER());
}

RT_EXPORT int sem_getvalue(sem_t *sem, int *value)
{
    PASSIVE(sem_getvalue, sem, value);
    strings_write(value, sizeof *value, RT_PC());
    struct sync *s = sem_of(sem);
    struct event *op = sched_op(EV_SEM_GETVALUE, s->address, 0, RT_CALLER());
    spin_before_read(op);
    sched_visit_blocking(s);
    life_use(s, op);
    object_perform(&s->now, op);
    *value = (int)op->value;
    sched_log(op);
    return 0;
}
