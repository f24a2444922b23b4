/* The functions of raddle/sync.h as the runtime has them: under control the operations are announced
 * like any other; otherwise they are the native ones. Here: semaphores and locks. An object's
 * parameters are in the program's memory, its state is the runtime's and made at the first use. */
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "sync/controlled.h"

#include <errno.h>

static struct sync *counted(const void *s, unsigned value)
{
    struct sync *o = sync_find((uintptr_t)s);
    if (RT_UNLIKELY(!o || o->type != SYNC_SEM)) {
        o = sync_fresh((uintptr_t)s, SYNC_SEM);
        o->count = (int32_t)value;
    }
    return o;
}

RT_EXPORT void raddle_semaphore_init(raddle_semaphore *s, unsigned value)
{
    *s = (raddle_semaphore)RADDLE_SEMAPHORE(value);
    if (rt.active)
        sync_fresh((uintptr_t)s, SYNC_SEM)->count = (int32_t)value;
}

RT_EXPORT void raddle_semaphore_wait(raddle_semaphore *s)
{
    if (!rt.active)
        native_semaphore_wait(s);
    else
        sync_sem_take(counted(s, s->value), EV_SEM_WAIT, RT_PC());
}

RT_EXPORT int raddle_semaphore_try(raddle_semaphore *s)
{
    if (!rt.active)
        return native_semaphore_try(s);
    int saved = errno, failed = sync_sem_take(counted(s, s->value), EV_SEM_TRYWAIT, RT_PC());
    errno = saved;
    return !failed;
}

RT_EXPORT void raddle_semaphore_post(raddle_semaphore *s)
{
    if (!rt.active)
        native_semaphore_post(s);
    else
        sync_sem_give(counted(s, s->value), EV_SEM_POST, RT_PC());
}

RT_EXPORT void raddle_binary_init(raddle_binary *b, unsigned value)
{
    *b = (raddle_binary)RADDLE_BINARY(value != 0);
    if (rt.active)
        sync_fresh((uintptr_t)b, SYNC_SEM)->count = value != 0;
}

RT_EXPORT void raddle_binary_wait(raddle_binary *b)
{
    if (!rt.active)
        native_binary_wait(b);
    else
        sync_sem_take(counted(b, b->value), EV_BINARY_WAIT, RT_PC());
}

RT_EXPORT void raddle_binary_post(raddle_binary *b)
{
    if (!rt.active)
        native_binary_post(b);
    else
        sync_sem_give(counted(b, b->value), EV_BINARY_POST, RT_PC());
}

RT_EXPORT void raddle_lock_init(raddle_lock *l)
{
    *l = (raddle_lock)RADDLE_LOCK;
    if (rt.active)
        sync_fresh((uintptr_t)l, SYNC_MUTEX);
}

RT_EXPORT void raddle_lock_take(raddle_lock *l)
{
    if (!rt.active)
        native_lock_take(l);
    else
        sync_lock(sync_get((uintptr_t)l, SYNC_MUTEX), RT_PC());
}

RT_EXPORT void raddle_lock_release(raddle_lock *l)
{
    if (!rt.active)
        native_lock_release(l);
    else
        sync_unlock(sync_get((uintptr_t)l, SYNC_MUTEX), RT_PC());
}

RT_EXPORT void raddle_symmetric(unsigned class_number)
{
    if (rt.active)
        sched_log_local(EV_SYMMETRIC, 0, class_number, 0, RT_PC());
}
