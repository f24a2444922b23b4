/* Reader-writer locks: any thread whose operation is possible may go on. One that prefers writers
 * (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; PREFER_WRITER_NP does not, in glibc) lets no reader in
 * while a writer waits, so that beginning to wait is an operation of its own. */
#include "rt/core/await_try.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define DESTROYED 0x6c61u /* left in the memory of one: see sync_mutex.c */

static struct sync *rwlock_of(const pthread_rwlock_t *l)
{
    struct sync *s = sync_get((uintptr_t)l, SYNC_RWLOCK);
    if (RT_UNLIKELY(s->destroyed) && l->__data.__flags != DESTROYED)
        s = sync_fresh((uintptr_t)l, SYNC_RWLOCK);
    return s;
}

static void check_alive(const struct sync *s, uint64_t pc)
{
    if (RT_UNLIKELY(s->destroyed))
        sync_misuse(s, pc, "{} is used after it was destroyed");
}

static bool is_try(enum event_kind k)
{
    return k == EV_TRYRDLOCK || k == EV_TRYWRLOCK;
}

/* Of a try, or of a lock with a limit of time: the operation that waits for what it tries to get. */
static enum event_kind waiting(enum event_kind k)
{
    return k == EV_TRYRDLOCK || k == EV_TIMEDRDLOCK ? EV_RDLOCK : EV_WRLOCK;
}

static bool waits(enum event_kind k)
{
    return k == EV_RDLOCK || k == EV_WRLOCK || k == EV_WR_ARRIVE;
}

/* arrived: it keeps readers out until it has the lock, or gives up. */
static int attempt(struct sync *s, enum event_kind kind, bool arrived, uint64_t pc)
{
    struct event *op = sched_op(kind, s->address, 0, pc);
    op->other = arrived;
    check_alive(s, pc);
    if (RT_UNLIKELY(rt.tries) && !arrived && !waits(kind) && await_try_waits(op, s))
        op->kind = waiting(kind);
    else if (is_try(kind))
        spin_before_read(op);
    sched_visit_blocking(s);
    check_alive(s, pc);
    object_perform(&s->now, op);
    bool taken = op->value;
    if (taken && s->owner == rt.current) /* for writing */
        vclock_join(&rt.self->clock, &s->readers);
    if (taken)
        sync_taken(s, pc);
    else if (kind == EV_WR_ARRIVE || arrived)
        sync_changed(s);
    sched_log(op);
    if (taken)
        return 0;
    if (RT_UNLIKELY(rt.tries) && !arrived && !waits(kind))
        await_try_failed();
    return is_try(kind) ? EBUSY : s->owner == rt.current ? EDEADLK : ETIMEDOUT;
}

static int rw_lock(const pthread_rwlock_t *l, enum event_kind kind, uint64_t pc)
{
    struct sync *s = rwlock_of(l);
    bool arrives = l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
                   (kind == EV_WRLOCK || kind == EV_TIMEDWRLOCK);
    if (arrives) {
        int status = attempt(s, EV_WR_ARRIVE, false, pc);
        if (status == 0 || status == EDEADLK)
            return status;
    }
    return attempt(s, kind, arrives, pc);
}

RT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_rdlock, l);
    return rw_lock(l, EV_RDLOCK, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_tryrdlock, l);
    return rw_lock(l, EV_TRYRDLOCK, RT_CALLER());
}

static int timed_lock(const pthread_rwlock_t *l, enum event_kind kind, clockid_t clock,
                      const struct timespec *until, uint64_t pc)
{
    if (!clock_may_limit(clock) || !clock_valid(until))
        return EINVAL;
    int status = rw_lock(l, kind, pc);
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
    return rw_lock(l, EV_WRLOCK, RT_CALLER());
}

RT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_trywrlock, l);
    return rw_lock(l, EV_TRYWRLOCK, RT_CALLER());
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
    check_alive(s, op->pc);
    sched_visit_blocking(s);
    object_perform(&s->now, op);
    if (op->value) { /* a write lock */
        sync_release(s);
    } else if (!(op->flags & EVENT_FAILED)) {
        vclock_join(&s->readers, &rt.self->clock);
        rt.self->clock.c[rt.current]++;
    }
    sync_changed(s);
    sched_log(op);
    if (op->flags & EVENT_FAILED)
        sync_misuse(s, op->pc, "{} is unlocked by a thread that does not hold it");
    return 0;
}

/* In place of one that is there; see sync_mutex.c. */
static void begin_again(struct sync *s, uint64_t pc)
{
    struct event *op = sched_op(EV_RW_DESTROY, s->address, 0, pc);
    sched_visit_blocking(s);
    if (s->owner >= 0 || s->count)
        sync_misuse(s, pc, "{} is initialised again while it is locked");
    object_perform(&s->now, op);
    sched_log(op);
    sync_again(s);
}

RT_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    int status = REAL(pthread_rwlock_init)(l, attr);
    if (!rt.active || status)
        return status;
    struct sync *s = sync_find((uintptr_t)l);
    if (!s || s->type != SYNC_RWLOCK || s->destroyed || thread_alone())
        sync_fresh((uintptr_t)l, SYNC_RWLOCK);
    else
        begin_again(s, RT_CALLER());
    return 0;
}

RT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    PASSIVE(pthread_rwlock_destroy, l);
    struct sync *s = rwlock_of(l);
    struct event *op = sched_op(EV_RW_DESTROY, s->address, 0, RT_CALLER());
    sched_visit_blocking(s);
    if (s->owner >= 0 || s->count)
        sync_misuse(s, op->pc, "{} is destroyed while it is locked");
    object_perform(&s->now, op);
    l->__data.__flags = DESTROYED;
    sched_log(op);
    return 0;
}
