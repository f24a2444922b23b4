/* <threads.h>: the same objects as those of pthreads, with results of its own. */
#include "rt/core/interpose.h"
#include "rt/posix/cancel.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

static int result_of(int status)
{
    switch (status) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

RT_EXPORT int thrd_create(thrd_t *out, thrd_start_t start, void *arg)
{
    PASSIVE(thrd_create, out, start, arg);
    /* An int comes back in the low half of the register that a pointer comes back in. */
    return result_of(
        thread_create((pthread_t *)out, NULL, (void *(*)(void *))(void *)start, arg, RT_PC()));
}

RT_EXPORT int thrd_join(thrd_t thread, int *result)
{
    PASSIVE(thrd_join, thread, result);
    return result_of(thread_join(thread, result, sizeof *result, RT_PC()));
}

RT_EXPORT int thrd_detach(thrd_t thread)
{
    PASSIVE(thrd_detach, thread);
    return result_of(pthread_detach(thread));
}

RT_EXPORT void thrd_exit(int result)
{
    if (!rt.active)
        REAL(thrd_exit)(result);
    cancel_exit((void *)(intptr_t)result);
}

RT_EXPORT void thrd_yield(void)
{
    sched_yield();
}

RT_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return nanosleep(time, left);
}

/* ---- mutexes ---------------------------------------------------------------------------------- */

RT_EXPORT int mtx_init(mtx_t *m, int type)
{
    PASSIVE(mtx_init, m, type);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                                          : PTHREAD_MUTEX_NORMAL);
    return result_of(pthread_mutex_init((pthread_mutex_t *)m, &attr));
}

RT_EXPORT int mtx_lock(mtx_t *m)
{
    PASSIVE(mtx_lock, m);
    return result_of(mutex_lock((pthread_mutex_t *)m, false, RT_PC()));
}

RT_EXPORT int mtx_trylock(mtx_t *m)
{
    PASSIVE(mtx_trylock, m);
    return result_of(mutex_lock((pthread_mutex_t *)m, true, RT_PC()));
}

RT_EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
    PASSIVE(mtx_timedlock, m, until);
    return result_of(mutex_timedlock((pthread_mutex_t *)m, CLOCK_REALTIME, until, RT_PC()));
}

RT_EXPORT int mtx_unlock(mtx_t *m)
{
    PASSIVE(mtx_unlock, m);
    return result_of(mutex_unlock_own((pthread_mutex_t *)m, RT_PC()));
}

RT_EXPORT void mtx_destroy(mtx_t *m)
{
    pthread_mutex_destroy((pthread_mutex_t *)m);
}

/* ---- conditions ------------------------------------------------------------------------------- */

RT_EXPORT int cnd_init(cnd_t *c)
{
    return result_of(pthread_cond_init((pthread_cond_t *)c, NULL));
}

RT_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
    PASSIVE(cnd_wait, c, m);
    return result_of(
        cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, NULL, RT_PC()));
}

RT_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
                            const struct timespec *restrict until)
{
    PASSIVE(cnd_timedwait, c, m, until);
    return result_of(cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, until, RT_PC()));
}

RT_EXPORT int cnd_signal(cnd_t *c)
{
    PASSIVE(cnd_signal, c);
    return result_of(cond_signal((pthread_cond_t *)c, false, RT_PC()));
}

RT_EXPORT int cnd_broadcast(cnd_t *c)
{
    PASSIVE(cnd_broadcast, c);
    return result_of(cond_signal((pthread_cond_t *)c, true, RT_PC()));
}

RT_EXPORT void cnd_destroy(cnd_t *c)
{
    pthread_cond_destroy((pthread_cond_t *)c);
}

/* ---- thread-specific storage, once -------------------------------------------------------------- */

RT_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return result_of(pthread_key_create(key, destructor));
}

RT_EXPORT void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

RT_EXPORT void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

RT_EXPORT int tss_set(tss_t key, void *value)
{
    return result_of(pthread_setspecific(key, value));
}

RT_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    if (!rt.active)
        REAL(call_once)(flag, routine);
    else
        once_run((pthread_once_t *)flag, routine, RT_PC());
}
