#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "rt/core/rt.h"

#include <sys/time.h>
#include <time.h>

#define NANO 1000000000ull

static inline uint64_t clock_of_timespec(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * NANO + (uint64_t)t->tv_nsec;
}

static inline uint64_t clock_of_timeval(const struct timeval *t)
{
    return (uint64_t)t->tv_sec * NANO + (uint64_t)t->tv_usec * 1000;
}

static inline struct timespec clock_timespec(uint64_t nanoseconds)
{
    return (struct timespec){(time_t)(nanoseconds / NANO), (long)(nanoseconds % NANO)};
}

void clock_random(void *out, size_t n); /* of the running thread's */

/* What calls with a limit fail for (EINVAL): nanoseconds that are none, a clock that does not limit waits. */
bool clock_valid(const struct timespec *t);
bool clock_may_limit(clockid_t clock);

/* A wait with this limit has ended by it: it is later now, and the thread has given way. */
void clock_timed_out(clockid_t clock, const struct timespec *limit, uint64_t pc);

/* The same for a wait that has given way already. */
void clock_reach(clockid_t clock, const struct timespec *limit);
void clock_pass(const struct timespec *duration);
time_t clock_epoch(void); /* what its wall clock shows when main begins */
/* A call at pc is given this time, which may be another thread's to change. */
void clock_read(const struct timespec *t, uint64_t pc);
uint64_t clock_ticks(void); /* the processor's clock */
/* How far a thread's sequence is; false: it has none yet. */
bool clock_random_state(int thread, uint64_t out[4]);
uint64_t clock_random_word(void); /* of the running thread's own sequence */

#endif
