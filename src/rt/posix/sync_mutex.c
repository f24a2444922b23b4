/* Mutexes and spinlocks. A try or timed lock is always enabled: it takes the lock if that is free
 * and fails otherwise (for a timed one that is the choice "the timeout fires first"). */
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/await_lock.h"
#include "rt/core/await_try.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define ROBUST 16 /* in glibc's kind of a mutex */
static bool any_robust;

/* What destroying leaves in the memory of a mutex or spinlock. If it has been overwritten since, by a static
 * initialiser, there is a new one at the address. */
#define DESTROYED (-1)

struct sync *mutex_of(const pthread_mutex_t *m)
{
    struct sync *s = sync_get((uintptr_t)m, SYNC_MUTEX);
    if (RT_UNLIKELY(s->destroyed) && m->__data.__kind != DESTROYED)
        s = sync_fresh((uintptr_t)m, SYNC_MUTEX);
    int kind = m->__data.__kind & 3;
    s->kind = kind == PTHREAD_MUTEX_RECURSIVE_NP    ? MUTEX_RECURSIVE
              : kind == PTHREAD_MUTEX_ERRORCHECK_NP ? MUTEX_ERRORCHECK
                                                    : MUTEX_NORMAL;
    if (RT_UNLIKELY(m->__data.__kind & ROBUST))
        s->robust = any_robust = true;
    return s;
}

static const char destroyed[] = "{} is used after it was destroyed";

static int lock_error(const struct sync *s, const struct event *op)
{
    bool own = s->owner == rt.current;
    if (RT_UNLIKELY(s->dead == MUTEX_NOT_RECOVERABLE))
        return ENOTRECOVERABLE;
    if (op->kind == EV_LOCK || (op->kind == EV_TIMEDLOCK && own && s->kind == MUTEX_ERRORCHECK))
        return EDEADLK; /* error-checking mutex, own lock */
    return op->kind == EV_TRYLOCK ? EBUSY : ETIMEDOUT;
}

/* The operation under way is a misuse: engines learn of it first, since it may have come earlier. */
static void misused(struct sync *s, struct event *op, const char *message)
{
    op->flags |= EVENT_FAILED;
    sched_log(op);
    sync_misuse(s, op->pc, message);
}

static inline void before_lock(struct event *op)
{
    if (RT_UNLIKELY(rt.lock_rounds) && op->kind == EV_LOCK)
        await_lock_stands(op);
    else if (RT_UNLIKELY(rt.lock_rounds))
        await_lock_tried(op->object);
    if (RT_LIKELY(!(op->flags & EVENT_SPUN)))
        spin_before_read(op);
}

static int sync_lock_as(struct sync *s, enum event_kind kind, uint64_t pc)
{
    struct event *op = sched_op(kind, s->address, 0, pc);
    if (kind != EV_LOCK && RT_UNLIKELY(rt.tries) && await_try_waits(op, s))
        op->kind = EV_LOCK;
    else
        before_lock(op);
    if (RT_UNLIKELY(rt.self->spin_pc != 0) && kind == EV_LOCK)
        spin_backs_off(op);
    sched_visit_blocking(s);
    if (RT_UNLIKELY(s->destroyed))
        misused(s, op, destroyed);
    object_perform(&s->now, op);
    if (op->value && s->count == 1) {
        rt.held++;
        sync_taken(s, pc);
    }
    sched_log(op);
    if (RT_UNLIKELY(rt.lock_rounds) && kind == EV_LOCK)
        await_lock_taken(s);
    if (RT_UNLIKELY(!op->value)) {
        if (RT_UNLIKELY(rt.tries) && kind != EV_LOCK)
            await_try_failed();
        return lock_error(s, op);
    }
    return s->dead == MUTEX_OWNER_DIED && s->count == 1 ? EOWNERDEAD : 0;
}

int sync_lock(struct sync *s, uint64_t pc)
{
    return sync_lock_as(s, EV_LOCK, pc);
}

int sync_trylock(struct sync *s, uint64_t pc)
{
    return sync_lock_as(s, EV_TRYLOCK, pc);
}

static const char *not_its_owner(const struct sync *s)
{
    return s->owner < 0 ? "{} is unlocked though nobody holds it"
                        : "{} is unlocked by a thread that does not hold it";
}

/* An error that POSIX defines; but few look at it. */
static __attribute__((cold, noinline)) int not_owned(const struct sync *s, const struct event *op)
{
    if (s->kind == MUTEX_RECURSIVE)
        finding_warn(op->pc, "a recursive mutex is unlocked by a thread that does not hold it, which fails");
    return EPERM;
}

int sync_unlock(struct sync *s, uint64_t pc)
{
    struct event *op = sched_op(EV_UNLOCK, s->address, 0, pc);
    sched_visit_blocking(s);
    if (RT_UNLIKELY(s->destroyed))
        misused(s, op, destroyed);
    if (RT_UNLIKELY(s->owner != rt.current) && s->kind == MUTEX_NORMAL && !s->robust)
        misused(s, op, not_its_owner(s));
    object_perform(&s->now, op);
    if (op->value && s->owner < 0) {
        rt.held--;
        sync_given(s);
    }
    bool looked = RT_UNLIKELY(rt.lock_rounds) && await_lock_inside(s);
    sched_log(op);
    if (looked)
        await_lock_given();
    return RT_LIKELY(op->value) ? 0 : not_owned(s, op);
}

/* For who may not unlock what he does not hold, of whatever type: nobody else changes that. */
int mutex_unlock_own(pthread_mutex_t *m, uint64_t pc)
{
    struct sync *s = mutex_of(m);
    if (RT_LIKELY(s->owner == rt.current))
        return sync_unlock(s, pc);
    struct event *op = sched_op(EV_UNLOCK, s->address, 0, pc);
    sched_visit_blocking(s);
    misused(s, op, not_its_owner(s));
    return EPERM;
}

/* In C++ (include/raddle/cxx/mutex); as any other unlock where raddle is not exploring. */
RT_EXPORT int raddle_cxx_recursive_unlock(pthread_mutex_t *m);
int raddle_cxx_recursive_unlock(pthread_mutex_t *m)
{
    return rt.active ? mutex_unlock_own(m, RT_CALLER()) : REAL(pthread_mutex_unlock)(m);
}

/* A thread that ends holding robust mutexes leaves them to the next one, marked. */
void mutex_owner_ends(void)
{
    struct sync *s;
    while (RT_UNLIKELY(any_robust) && (s = sync_next_robust(rt.current))) {
        struct event *op = sched_op(EV_UNLOCK, s->address, UNLOCK_ENDED, s->lock_pc);
        sched_visit_blocking(s);
        object_perform(&s->now, op);
        rt.held--;
        sync_given(s);
        sched_log(op);
    }
}

RT_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_consistent, m);
    struct sync *s = mutex_of(m);
    if (!s->robust || s->dead != MUTEX_OWNER_DIED || s->owner != rt.current)
        return EINVAL;
    s->dead = 0;
    return 0;
}

int mutex_lock(pthread_mutex_t *m, bool tries, uint64_t pc)
{
    return sync_lock_as(mutex_of(m), tries ? EV_TRYLOCK : EV_LOCK, pc);
}

int mutex_unlock(pthread_mutex_t *m, uint64_t pc)
{
    return sync_unlock(mutex_of(m), pc);
}

RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_lock, m);
    return sync_lock_as(mutex_of(m), EV_LOCK, RT_CALLER());
}

RT_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_trylock, m);
    return sync_lock_as(mutex_of(m), EV_TRYLOCK, RT_CALLER());
}

int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, uint64_t pc)
{
    if (!clock_may_limit(clock))
        return EINVAL;
    int status = sync_lock_as(mutex_of(m), EV_TIMEDLOCK, pc);
    if (status != ETIMEDOUT)
        return status;
    if (!clock_valid(until)) /* who need not wait does not look at it */
        return EINVAL;
    clock_timed_out(clock, until, pc);
    return ETIMEDOUT;
}

RT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    PASSIVE(pthread_mutex_timedlock, m, until);
    return mutex_timedlock(m, CLOCK_REALTIME, until, RT_CALLER());
}

RT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                      const struct timespec *until)
{
    PASSIVE(pthread_mutex_clocklock, m, clock, until);
    return mutex_timedlock(m, clock, until, RT_CALLER());
}

RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_unlock, m);
    return sync_unlock(mutex_of(m), RT_CALLER());
}

/* A new one at the address. If there is one already, that is destroyed: which others may notice. */
static void begin(uintptr_t address, enum sync_type type, uint64_t pc)
{
    struct sync *s = sync_find(address);
    if (!s || s->type != type || s->destroyed || thread_alone()) {
        sync_fresh(address, type);
        return;
    }
    struct event *op = sched_op(EV_LOCK_DESTROY, address, 0, pc);
    if (RT_UNLIKELY(rt.lock_rounds))
        await_lock_destroyed(address);
    sched_visit_blocking(s);
    if (s->owner >= 0)
        misused(s, op, "{} is initialised again while it is locked");
    object_perform(&s->now, op);
    sched_log(op);
    sync_again(s);
}

RT_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    strings_read(attr, attr ? sizeof *attr : 0, RT_PC());
    int status = REAL(pthread_mutex_init)(m, attr);
    if (rt.active && status == 0)
        begin((uintptr_t)m, SYNC_MUTEX, RT_CALLER());
    return status;
}

static void destroy(struct sync *s, int *mark, uint64_t pc)
{
    struct event *op = sched_op(EV_LOCK_DESTROY, s->address, 0, pc);
    if (RT_UNLIKELY(rt.lock_rounds))
        await_lock_destroyed(s->address);
    sched_visit_blocking(s);
    if (s->owner >= 0)
        misused(s, op, "{} is destroyed while it is locked");
    object_perform(&s->now, op);
    *mark = DESTROYED;
    sched_log(op);
}

RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
    PASSIVE(pthread_mutex_destroy, m);
    destroy(mutex_of(m), &m->__data.__kind, RT_CALLER());
    return 0;
}

static struct sync *spin_of(const pthread_spinlock_t *l)
{
    struct sync *s = sync_get((uintptr_t)l, SYNC_SPIN);
    return s->destroyed && *l != DESTROYED ? sync_fresh((uintptr_t)l, SYNC_SPIN) : s;
}

RT_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    PASSIVE(pthread_spin_init, l, shared);
    *l = 1;
    begin((uintptr_t)l, SYNC_SPIN, RT_CALLER());
    return 0;
}

RT_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_lock, l);
    return sync_lock_as(spin_of(l), EV_LOCK, RT_CALLER());
}

RT_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_trylock, l);
    return sync_lock_as(spin_of(l), EV_TRYLOCK, RT_CALLER());
}

RT_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_unlock, l);
    return sync_unlock(spin_of(l), RT_CALLER());
}

RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
    PASSIVE(pthread_spin_destroy, l);
    destroy(spin_of(l), (int *)l, RT_CALLER());
    return 0;
}
