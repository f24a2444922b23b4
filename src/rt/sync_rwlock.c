/* Reader-writer locks, without preference: any thread whose operation is possible may go on. */
#include "rt/clock.h"
#include "rt/interpose.h"
#include "rt/spin.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static struct sync *rwlock_of(const pthread_rwlock_t *l)
{
    return sync_get((uintptr_t)l, SYNC_RWLOCK);
}

static bool is_write(enum event_kind k)
{
    return k == EV_WRLOCK || k == EV_TRYWRLOCK || k == EV_TIMEDWRLOCK;
}

static bool is_try(enum event_kind k)
{
    return k == EV_TRYRDLOCK || k == EV_TRYWRLOCK;
}

static void take(struct sync *s, bool write, uint64_t pc)
{
    if (write) {
        s->owner = rt.current;
        vclock_join(&rt.self->clock, &s->readers);
    } else {
        s->count++;
        tset_add(&s->holders, rt.current);
    }
    s->lock_pc = pc;
    sync_acquire(s);
    sync_changed(s);
}

static int rw_lock(struct sync *s, enum event_kind kind, uint64_t pc)
{
    bool write = is_write(kind);
    struct event *op = sched_op(kind, s->address, 0, pc);
    if (s->destroyed)
        sync_misuse(s, pc, "{} is used after it was destroyed");
    if (is_try(kind))
        spin_before_read(op);
    sched_visit_blocking(s);
    bool free = s->owner < 0 && !(write && s->count);
    op->value = free;
    if (free)
        take(s, write, pc);
    else
        op->flags |= EVENT_FAILED;
    sched_log(op);
    if (free)
        return 0;
    return is_try(kind) ? EBUSY : s->owner == rt.current ? EDEADLK : ETIMEDOUT;
}

RT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_rdlock, l);
    return rw_lock(rwlock_of(l), EV_RDLOCK, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_tryrdlock, l);
    return rw_lock(rwlock_of(l), EV_TRYRDLOCK, RT_CALLER());
}

static int timed_lock(const pthread_rwlock_t *l, enum event_kind kind, clockid_t clock,
                      const struct timespec *until, uint64_t pc)
{
    int status = rw_lock(rwlock_of(l), kind, pc);
    if (status == ETIMEDOUT)
        clock_timed_out(clock, until, pc);
    return status;
}

RT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    PASSIVE(pthread_rwlock_timedrdlock, l, until);
    return timed_lock(l, EV_TIMEDRDLOCK, CLOCK_REALTIME, until, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                         const struct timespec *until)
{
    PASSIVE(pthread_rwlock_clockrdlock, l, clock, until);
    return timed_lock(l, EV_TIMEDRDLOCK, clock, until, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_wrlock, l);
    return rw_lock(rwlock_of(l), EV_WRLOCK, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_trywrlock, l);
    return rw_lock(rwlock_of(l), EV_TRYWRLOCK, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    PASSIVE(pthread_rwlock_timedwrlock, l, until);
    return timed_lock(l, EV_TIMEDWRLOCK, CLOCK_REALTIME, until, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                         const struct timespec *until)
{
    PASSIVE(pthread_rwlock_clockwrlock, l, clock, until);
    return timed_lock(l, EV_TIMEDWRLOCK, clock, until, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_unlock, l);
    struct sync *s = rwlock_of(l);
    struct event *op = sched_op(EV_RW_UNLOCK, s->address, 0, RT_CALLER());
    sched_visit_blocking(s);
    op->value = s->owner == rt.current; /* 1: gave back a write lock */
    if (s->owner == rt.current) {
        s->owner = -1;
        sync_release(s);
    } else if (tset_has(&s->holders, rt.current)) {
        if (--s->count == 0)
            s->holders = (struct tset){{0}};
        vclock_join(&s->readers, &rt.self->clock);
        rt.self->clock.c[rt.current]++;
    } else {
        sync_misuse(s, op->pc, "{} is unlocked by a thread that does not hold it");
    }
    sync_changed(s);
    sched_log(op);
    return 0;
}

RT_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    int status = REAL(pthread_rwlock_init)(l, attr);
    if (rt.active && status == 0)
        sync_fresh((uintptr_t)l, SYNC_RWLOCK);
    return status;
}

RT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_destroy, l);
    struct sync *s = rwlock_of(l);
    if (s->owner >= 0 || s->count)
        sync_misuse(s, RT_CALLER(), "{} is destroyed while it is locked");
    s->destroyed = true;
    return 0;
}
