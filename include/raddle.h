/* raddle.h: what a program tested with raddle may call.
 *
 * All of it is optional: raddle tests unmodified programs. A program that uses these calls also
 * compiles, links and runs with a plain compiler and without raddle's library: the runtime's
 * functions are weak references, and each call has a sensible meaning when they are absent.
 *
 *     #include <raddle.h>
 *
 *     int size = 1 + raddle_choose(3);           // explored with 1, 2 and 3
 *     raddle_assume(size != buffer_size);        // not interested in this one
 *     raddle_note("queue of %d", size);          // shown in the schedule of a failure
 *     raddle_assert(queue_length(q) <= size);    // a failure is reported with its schedule
 *
 * For C99 and later and C++11 and later. The macro __RADDLE__ is defined in code compiled by
 * raddle cc. Licence: MIT. */
#ifndef RADDLE_H
#define RADDLE_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side. Absent (null) in a program that was not linked by raddle cc. */
void raddle_rt_assert_fail(const char *expr, const char *file, unsigned line, const char *func)
    __attribute__((weak, noreturn));
void raddle_rt_assume_fail(void) __attribute__((weak, noreturn));
int raddle_rt_choose(int n) __attribute__((weak));
void raddle_rt_yield(void) __attribute__((weak));
void raddle_rt_note(const char *fmt, ...) __attribute__((weak, format(printf, 1, 2)));

/* These are macros, so that the calls have the location of the line that uses them. Each argument is
 * evaluated at most once. */

/* raddle_assert(cond): fails the execution if cond is false. Unlike assert(3) it is not switched
 * off by NDEBUG. Without raddle: prints the failed condition and aborts. */
#define raddle_assert(cond)                                                                        \
    ((cond)                  ? (void)0                                                             \
     : raddle_rt_assert_fail ? raddle_rt_assert_fail(#cond, __FILE__, __LINE__, __func__)          \
                             : raddle_assert_failed_(#cond, __FILE__, __LINE__, __func__))

/* raddle_assume(cond): abandons this execution, without a verdict on it, if cond is false; the
 * others are explored. Without raddle: ends the program with status 0 if cond is false. */
#define raddle_assume(cond)                                                                        \
    ((cond)                  ? (void)0                                                             \
     : raddle_rt_assume_fail ? raddle_rt_assume_fail()                                             \
                             : raddle_assume_failed_())

/* raddle_choose(n): one of 0 … n-1, n > 0; all of them are explored, in combination with all
 * schedules. Without raddle: 0. */
#define raddle_choose(n) (raddle_rt_choose ? raddle_rt_choose(n) : 0)

/* raddle_yield(): another thread may run here; says that this one waits for something, as in the
 * body of a loop that polls. Without raddle: sched_yield(). */
#define raddle_yield() (raddle_rt_yield ? raddle_rt_yield() : (void)sched_yield())

/* raddle_note(fmt, …): a line of text, formatted as by printf, in the column of this thread in the
 * schedule that is shown with a failure. Without raddle: nothing, and the arguments are not
 * evaluated. */
#define raddle_note(...) (raddle_rt_note ? raddle_rt_note(__VA_ARGS__) : (void)0)

/* raddle_param(name): the value of a parameter in the row of raddle run --inputs MODEL that is being
 * explored, as text; NULL without it. */
static __inline__ __attribute__((unused)) const char *raddle_param(const char *name)
{
    char variable[256];
    snprintf(variable, sizeof variable, "RADDLE_PARAM_%s", name);
    return getenv(variable);
}

/* What the macros mean without raddle; not to be called. */
static __inline__ __attribute__((unused, noreturn, cold)) void
raddle_assert_failed_(const char *expr, const char *file, unsigned line, const char *func)
{
    fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, func, expr);
    abort();
}

static __inline__ __attribute__((unused, noreturn, cold)) void raddle_assume_failed_(void)
{
    fflush(NULL);
    _Exit(0);
}

#ifdef __cplusplus
}
#endif

#endif
