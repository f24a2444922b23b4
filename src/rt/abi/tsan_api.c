/* The public interface of ThreadSanitizer and the older annotations that projects use to explain
 * synchronization of their own: an order of events for the race check. They are no scheduling
 * points: what they annotate consists of atomics or of calls that are. */
#include "rt/check/benign.h"
#include "rt/core/interpose.h"
#include "rt/core/sync.h"

static struct sync *clock_of(const volatile void *address)
{
    return sync_get((uint64_t)address ^ 1ull << 63, SYNC_OTHER);
}

static void acquire(const volatile void *address)
{
    if (rt.active)
        sync_acquire(clock_of(address));
}

static void release(const volatile void *address)
{
    if (rt.active)
        sync_release(clock_of(address));
}

#define ANNOTATION(name, parameters, action)                                                       \
    void name parameters;                                                                          \
    RT_EXPORT void name parameters                                                                 \
    {                                                                                              \
        action;                                                                                    \
    }
ANNOTATION(__tsan_acquire, (void *at), acquire(at))
ANNOTATION(__tsan_release, (void *at), release(at))
ANNOTATION(__tsan_mutex_create, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_destroy, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_pre_lock, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_post_lock, (void *at, unsigned flags, int recursion), acquire(at))
ANNOTATION(__tsan_mutex_post_unlock, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_pre_signal, (void *at, unsigned flags), release(at))
ANNOTATION(__tsan_mutex_post_signal, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_pre_divert, (void *at, unsigned flags), (void)at)
ANNOTATION(__tsan_mutex_post_divert, (void *at, unsigned flags), (void)at)

int __tsan_mutex_pre_unlock(void *at, unsigned flags);
RT_EXPORT int __tsan_mutex_pre_unlock(void *at, unsigned flags)
{
    release(at);
    return 1;
}

#define WHERE const char *file, int line
ANNOTATION(AnnotateHappensBefore, (WHERE, const volatile void *at), release(at))
ANNOTATION(AnnotateHappensAfter, (WHERE, const volatile void *at), acquire(at))
ANNOTATION(AnnotateRWLockCreate, (WHERE, const volatile void *at), (void)at)
ANNOTATION(AnnotateRWLockCreateStatic, (WHERE, const volatile void *at), (void)at)
ANNOTATION(AnnotateRWLockDestroy, (WHERE, const volatile void *at), (void)at)
ANNOTATION(AnnotateRWLockAcquired, (WHERE, const volatile void *at, long writer), acquire(at))
ANNOTATION(AnnotateRWLockReleased, (WHERE, const volatile void *at, long writer), release(at))
ANNOTATION(AnnotateIgnoreReadsBegin, (WHERE), (void)file)
ANNOTATION(AnnotateIgnoreReadsEnd, (WHERE), (void)file)
ANNOTATION(AnnotateIgnoreWritesBegin, (WHERE), (void)file)
ANNOTATION(AnnotateIgnoreWritesEnd, (WHERE), (void)file)
ANNOTATION(AnnotateIgnoreSyncBegin, (WHERE), (void)file)
ANNOTATION(AnnotateIgnoreSyncEnd, (WHERE), (void)file)
ANNOTATION(AnnotateBenignRace, (WHERE, const volatile void *at, const char *text),
           benign_declare((uintptr_t)at, 8, RT_PC()))
ANNOTATION(AnnotateBenignRaceSized, (WHERE, const volatile void *at, size_t n, const char *text),
           benign_declare((uintptr_t)at, n, RT_PC()))
ANNOTATION(AnnotateThreadName, (WHERE, const char *name), (void)name)
ANNOTATION(AnnotateNewMemory, (WHERE, const volatile void *at, size_t n), (void)at)
