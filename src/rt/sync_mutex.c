/* Mutexes and spinlocks. A try or timed lock is always enabled: it takes the lock if that is free
 * and fails otherwise (for a timed one that is the choice "the timeout fires first"). */
#include "rt/clock.h"
#include "rt/interpose.h"
#include "rt/spin.h"
#include "rt/thread.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define ROBUST 16 /* in glibc's kind of a mutex */
enum { OWNER_DIED = 1, NOT_RECOVERABLE };
static bool any_robust;

static struct sync *mutex_of(const pthread_mutex_t *m)
{
    struct sync *s = sync_get((uintptr_t)m, SYNC_MUTEX);
    int kind = m->__data.__kind & 3;
    s->kind = kind == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : (uint8_t)kind;
    if (RT_UNLIKELY(m->__data.__kind & ROBUST))
        s->robust = any_robust = true;
    return s;
}

void mutex_take(struct sync *s, uint64_t pc)
{
    s->owner = rt.current;
    s->count = 1;
    s->lock_pc = pc;
    sync_acquire(s);
    sync_changed(s);
}

void mutex_give(struct sync *s)
{
    sync_release(s);
    s->owner = -1;
    s->count = 0;
    sync_changed(s);
}

static void check_alive(const struct sync *s, uint64_t pc)
{
    if (RT_UNLIKELY(s->destroyed))
        sync_misuse(s, pc, "{} is used after it was destroyed");
}

/* Performs the announced lock operation; whether it has the lock now. */
static int perform_lock(struct sync *s, struct event *op)
{
    int status = 0;
    if (RT_UNLIKELY(s->dead == NOT_RECOVERABLE)) {
        status = ENOTRECOVERABLE;
    } else if (s->owner < 0) {
        mutex_take(s, op->pc);
    } else if (s->owner == rt.current && s->kind == PTHREAD_MUTEX_RECURSIVE) {
        s->count++;
    } else if (op->kind == EV_LOCK) {
        status = EDEADLK; /* error-checking mutex, own lock */
    } else {
        status = op->kind == EV_TRYLOCK ? EBUSY : ETIMEDOUT;
        if (op->kind == EV_TIMEDLOCK && s->owner == rt.current &&
            s->kind == PTHREAD_MUTEX_ERRORCHECK)
            status = EDEADLK;
    }
    op->value = status == 0;
    if (status)
        op->flags |= EVENT_FAILED;
    sched_log(op);
    return status == 0 && s->dead == OWNER_DIED ? EOWNERDEAD : status;
}

int sync_lock(struct sync *s, enum event_kind kind, uint64_t pc)
{
    struct event *op = sched_op(kind, s->address, 0, pc);
    check_alive(s, pc);
    spin_before_read(op);
    sched_visit_blocking(s);
    check_alive(s, pc);
    return perform_lock(s, op);
}

int sync_unlock(struct sync *s, uint64_t pc)
{
    struct event *op = sched_op(EV_UNLOCK, s->address, 0, pc);
    check_alive(s, pc);
    sched_visit_blocking(s);
    if (s->owner != rt.current) {
        if (s->kind != PTHREAD_MUTEX_NORMAL && s->type == SYNC_MUTEX) {
            op->flags |= EVENT_FAILED;
            sched_log(op);
            return EPERM;
        }
        sync_misuse(s, pc,
                    s->owner < 0 ? "{} is unlocked though nobody holds it"
                                 : "{} is unlocked by a thread that does not hold it");
    }
    op->value = 1;
    if (RT_UNLIKELY(s->dead) && s->count == 1)
        s->dead = NOT_RECOVERABLE;
    if (s->count > 1)
        s->count--;
    else
        mutex_give(s);
    sched_log(op);
    return 0;
}

/* A thread that ends holding robust mutexes leaves them to the next one, marked. */
void mutex_owner_ends(void)
{
    struct sync *s;
    while (RT_UNLIKELY(any_robust) && (s = sync_next_robust(rt.current))) {
        struct event *op = sched_op(EV_UNLOCK, s->address, 0, s->lock_pc);
        sched_visit_blocking(s);
        op->value = 1;
        s->dead = OWNER_DIED;
        mutex_give(s);
        sched_log(op);
    }
}

RT_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_consistent, m);
    struct sync *s = mutex_of(m);
    if (!s->robust || s->dead != OWNER_DIED || s->owner != rt.current)
        return EINVAL;
    s->dead = 0;
    return 0;
}

int mutex_lock(pthread_mutex_t *m, enum event_kind kind, uint64_t pc)
{
    return sync_lock(mutex_of(m), kind, pc);
}

int mutex_unlock(pthread_mutex_t *m, uint64_t pc)
{
    return sync_unlock(mutex_of(m), pc);
}

RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_lock, m);
    return sync_lock(mutex_of(m), EV_LOCK, RT_CALLER());
}

RT_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_trylock, m);
    return sync_lock(mutex_of(m), EV_TRYLOCK, RT_CALLER());
}

static int timed_lock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, uint64_t pc)
{
    int status = sync_lock(mutex_of(m), EV_TIMEDLOCK, pc);
    if (status == ETIMEDOUT)
        clock_timed_out(clock, until, pc);
    return status;
}

RT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    PASSIVE(pthread_mutex_timedlock, m, until);
    return timed_lock(m, CLOCK_REALTIME, until, RT_CALLER());
}

RT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                      const struct timespec *until)
{
    PASSIVE(pthread_mutex_clocklock, m, clock, until);
    return timed_lock(m, clock, until, RT_CALLER());
}

RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_unlock, m);
    return sync_unlock(mutex_of(m), RT_CALLER());
}

RT_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    int status = REAL(pthread_mutex_init)(m, attr);
    if (rt.active && status == 0)
        sync_fresh((uintptr_t)m, SYNC_MUTEX);
    return status;
}

RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_destroy, m);
    struct sync *s = mutex_of(m);
    struct event *op = sched_op(EV_LOCK_DESTROY, s->address, 0, RT_CALLER());
    sched_visit_blocking(s);
    if (s->owner >= 0)
        sync_misuse(s, op->pc, "{} is destroyed while it is locked");
    s->destroyed = true;
    sched_log(op);
    return 0;
}

RT_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    PASSIVE(pthread_spin_init, l, shared);
    *l = 1;
    sync_fresh((uintptr_t)l, SYNC_SPIN);
    return 0;
}

RT_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_lock, l);
    return sync_lock(sync_get((uintptr_t)l, SYNC_SPIN), EV_LOCK, RT_CALLER());
}

RT_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_trylock, l);
    return sync_lock(sync_get((uintptr_t)l, SYNC_SPIN), EV_TRYLOCK, RT_CALLER());
}

RT_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_unlock, l);
    return sync_unlock(sync_get((uintptr_t)l, SYNC_SPIN), RT_CALLER());
}

RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_destroy, l);
    struct sync *s = sync_get((uintptr_t)l, SYNC_SPIN);
    if (s->owner >= 0)
        sync_misuse(s, RT_CALLER(), "{} is destroyed while it is locked");
    s->destroyed = true;
    return 0;
}
