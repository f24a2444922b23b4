/* Virtual time and seeded randomness. A thread's clock starts at a fixed moment, moves on with its
 * own sleeps and by one microsecond each time it looks, and follows happens-before (sync_acquire,
 * join): so it never runs backwards along a causal chain, and what a thread reads does not depend on
 * the order of unrelated threads. The same holds for rand(): every thread has its own sequence.
 *
 * A loop that looks at variables until they change or a moment has come would have as many executions as
 * microseconds. Any time may pass between two looks, so for a thread that does nothing else its clock runs
 * 32 times as fast each time: it gives up after a second in its seventh round, and what it waits for
 * may come in each round before. */
#include "object/object.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/orbit.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MICRO 1000ull
#define LONGEST (1000 * NANO)
#define EPOCH_SECONDS 1767225600ull /* 2026-01-01 00:00 UTC */

static struct {
    struct rng rng;
    uint32_t generation; /* of the execution it was last seeded in */
} streams[EVENT_MAX_THREADS];

/* The last time that a thread has looked at the time. */
static struct look_at_time {
    uint64_t step; /* how much later it was than the time before, if it has only waited since; 0 otherwise */
    uint32_t generation, event;
} looks_at_time[EVENT_MAX_THREADS];

/* The running thread's sequence of random numbers, seeded when it is first asked for. */
static struct rng *stream(void)
{
    int t = rt.current;
    orbit_shows();
    rt.self->wrote = true; /* as with the time: what follows depends on it */
    if (streams[t].generation != rt.generation)
        rng_seed(&streams[t].rng, rt.shared->config.inputs_seed * 0x10001u + (uint64_t)t);
    streams[t].generation = rt.generation;
    return &streams[t].rng;
}

bool clock_random_state(int thread, uint64_t out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = streams[thread].rng.s[i];
    return streams[thread].generation == rt.generation;
}

/* From that event on the running thread has only looked, taken locks and given them back, and given way. */
static bool only_waited(uint32_t event)
{
    for (const struct trace *t = rt.trace; event < t->event_count; event++) {
        const struct event *e = &t->events[event];
        bool lock = operation_of(e->kind)->object == OBJECT_MUTEX;
        bool waits = lock || spin_only_looks(e) || e->kind == EV_YIELD || e->kind == EV_SLEEP;
        if (e->thread == rt.current && !waits)
            return false;
    }
    return true;
}

/* How long it takes the running thread to look at the time. */
static uint64_t passes(void)
{
    struct look_at_time *l = &looks_at_time[rt.current];
    bool again = l->generation == rt.generation && only_waited(l->event);
    l->step = !again ? 0 : l->step < LONGEST ? l->step * 32 + (l->step ? 0 : MICRO) : LONGEST;
    l->generation = rt.generation;
    l->event = rt.trace->event_count;
    return l->step ? l->step : MICRO;
}

static uint64_t now(void)
{
    capture_noticed("the program reads the time");
    rt.self->time += passes();
    rt.self->wrote = true; /* the state has changed: not a spin loop that cannot end */
    return rt.self->time;
}

static uint64_t base_of(clockid_t clock)
{
    bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return wall ? EPOCH_SECONDS * NANO : 1000 * NANO;
}

time_t clock_epoch(void)
{
    return EPOCH_SECONDS;
}

void clock_reach(clockid_t clock, const struct timespec *limit)
{
    uint64_t at = clock_of_timespec(limit), base = base_of(clock);
    if (limit->tv_sec >= 0 && at > base + rt.self->time)
        rt.self->time = at - base;
}

bool clock_valid(const struct timespec *t)
{
    return t->tv_nsec >= 0 && t->tv_nsec < (long)NANO;
}

bool clock_may_limit(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

void clock_timed_out(clockid_t clock, const struct timespec *limit, uint64_t pc)
{
    clock_read(limit, pc); /* who need not wait does not look at it */
    clock_reach(clock, limit);
    sched_yielded(pc);
}

void clock_pass(const struct timespec *duration)
{
    if (duration->tv_sec >= 0)
        rt.self->time += clock_of_timespec(duration);
}

uint64_t clock_ticks(void)
{
    return base_of(CLOCK_MONOTONIC) + now();
}

RT_EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
    PASSIVE(clock_gettime, clock, out);
    strings_write(out, sizeof *out, RT_PC());
    *out = clock_timespec(base_of(clock) + now());
    return 0;
}

RT_EXPORT int timespec_get(struct timespec *out, int base)
{
    PASSIVE(timespec_get, out, base);
    if (base != TIME_UTC)
        return 0;
    strings_write(out, sizeof *out, RT_PC());
    *out = clock_timespec(base_of(CLOCK_REALTIME) + now());
    return base;
}

RT_EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    PASSIVE(gettimeofday, out, zone);
    strings_write(out, sizeof *out, RT_PC());
    uint64_t t = base_of(CLOCK_REALTIME) + now();
    out->tv_sec = (time_t)(t / NANO);
    out->tv_usec = (suseconds_t)(t % NANO / 1000);
    return 0;
}

RT_EXPORT time_t time(time_t *out)
{
    PASSIVE(time, out);
    strings_write(out, out ? sizeof *out : 0, RT_PC());
    time_t t = (time_t)((base_of(CLOCK_REALTIME) + now()) / NANO);
    if (out)
        *out = t;
    return t;
}

RT_EXPORT clock_t clock(void)
{
    PASSIVE(clock);
    return (clock_t)(now() / 1000);
}

/* What is left when a signal ended it early. */
static uint64_t sleep_for(uint64_t nanoseconds, uint64_t pc)
{
    cancel_point(pc);
    sched_yielded(pc);
    sched_log_local(EV_SLEEP, 0, nanoseconds, 0, pc);
    rt.self->time += nanoseconds;
    return signals_slept();
}

static bool is_duration(const struct timespec *t)
{
    return t->tv_sec >= 0 && clock_valid(t);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* On the thread's own stack, and where it is constant, it is none of others': tries that wait in a loop read
 * nothing else. */
void clock_read(const struct timespec *t, uint64_t pc)
{
    if ((uintptr_t)t - (uintptr_t)rt.self->stack >= rt.self->stack_size && !restart_is_constant((uintptr_t)t))
        strings_read(t, sizeof *t, pc);
}

RT_EXPORT int nanosleep(const struct timespec *want, struct timespec *left)
{
    PASSIVE(nanosleep, want, left);
    clock_read(want, RT_PC());
    if (!is_duration(want))
        return fail(EINVAL);
    uint64_t rest = sleep_for(clock_of_timespec(want), RT_PC());
    if (!rest)
        return 0;
    if (left)
        *left = clock_timespec(rest);
    return fail(EINTR);
}

RT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
                              struct timespec *left)
{
    PASSIVE(clock_nanosleep, clock, flags, want, left);
    clock_read(want, RT_PC());
    if (!is_duration(want) || clock == CLOCK_THREAD_CPUTIME_ID)
        return EINVAL;
    uint64_t t = clock_of_timespec(want);
    if (flags & TIMER_ABSTIME) {
        uint64_t at = base_of(clock) + rt.self->time;
        t = t > at ? t - at : 0;
    }
    uint64_t rest = sleep_for(t, RT_PC());
    if (rest && left && !(flags & TIMER_ABSTIME))
        *left = clock_timespec(rest);
    return rest ? EINTR : 0;
}

RT_EXPORT int usleep(useconds_t microseconds)
{
    PASSIVE(usleep, microseconds);
    return sleep_for((uint64_t)microseconds * 1000, RT_PC()) ? fail(EINTR) : 0;
}

RT_EXPORT unsigned sleep(unsigned seconds)
{
    PASSIVE(sleep, seconds);
    return (unsigned)((sleep_for(seconds * NANO, RT_PC()) + NANO / 2) / NANO);
}

RT_EXPORT int sched_yield(void)
{
    PASSIVE(sched_yield);
    sched_yielded(RT_PC());
    sched_log_local(EV_YIELD, 0, 0, 0, RT_PC());
    return 0;
}

int pthread_yield(void);
RT_EXPORT int pthread_yield(void)
{
    if (!rt.active)
        return REAL(sched_yield)();
    sched_yielded(RT_PC());
    sched_log_local(EV_YIELD, 0, 0, 0, RT_PC());
    return 0;
}

uint64_t clock_random_word(void)
{
    return rng_next(stream());
}

RT_EXPORT int rand(void)
{
    PASSIVE(rand);
    return (int)(rng_next(stream()) >> 33);
}

RT_EXPORT void srand(unsigned seed)
{
    if (!rt.active) {
        REAL(srand)(seed);
        return;
    }
    rng_seed(stream(), seed + rt.shared->config.inputs_seed);
}

RT_EXPORT long random(void)
{
    PASSIVE(random);
    return (long)(rng_next(stream()) >> 33);
}

RT_EXPORT void srandom(unsigned seed)
{
    if (!rt.active) {
        REAL(srandom)(seed);
        return;
    }
    rng_seed(stream(), seed + rt.shared->config.inputs_seed);
}

void clock_random(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)out)[i] = (unsigned char)rng_next(stream());
}

RT_EXPORT ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    PASSIVE(getrandom, out, n, flags);
    strings_write(out, n, RT_PC());
    clock_random(out, n);
    return (ssize_t)n;
}

RT_EXPORT int getentropy(void *out, size_t n)
{
    PASSIVE(getentropy, out, n);
    strings_write(out, n, RT_PC());
    clock_random(out, n);
    return 0;
}
