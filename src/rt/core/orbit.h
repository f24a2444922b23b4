/* Threads that are alike: created one after the other by the same thread to run the same function with the
 * same argument, and told apart by nobody (orbit.c). The start of each is put off until the one created
 * before it has performed its first operation: of the executions that differ only in which of them is
 * which, one is explored. For engines that want it (engine.orbits). */
#ifndef RT_ORBIT_H
#define RT_ORBIT_H

#include "rt/core/rt.h"

#define ORBIT_RARE __attribute__((noinline, cold))

/* Before an execution. What is known decides, and is asked again when there is more of it. */
void orbit_ask(void) ORBIT_RARE;
static inline void orbit_begin(void)
{
    if (RT_UNLIKELY(rt.alike | (rt.orbit_lessons != rt.shared->lessons.count)))
        orbit_ask();
    rt.orbits = rt.may_orbit & rt.engine.orbits;
}

/* The running thread is about to create one: will that be like the one created last? */
bool orbit_compare(const void *attr) ORBIT_RARE;
static inline bool orbit_alike(const void *attr, void *(*start)(void *), void *arg)
{
    const struct thread *before = &rt.all[rt.threads - 1];
    return rt.orbits && before->arg == arg && before->start == start && orbit_compare(attr);
}
/* It has: true if the new thread is not to start yet. */
bool orbit_put_off(struct thread *t) ORBIT_RARE;
static inline bool orbit_created(struct thread *t, bool alike, bool unusual)
{
    t->unlike = unusual;
    t->created_at = rt.self->events;
    rt.self->plain_streak = 0;
    return alike && orbit_put_off(t);
}

/* The running thread, which has others like it, is about to access memory without an event. */
void orbit_accesses(uintptr_t address, size_t size) ORBIT_RARE;
/* After each event, while rt.heeds. */
void orbit_heed(const struct event *e) ORBIT_RARE;
/* t, the running thread, ends, or has performed its first operation. */
void orbit_start_follower(struct thread *t) ORBIT_RARE;
static inline void orbit_ends(struct thread *t)
{
    if (RT_UNLIKELY(t->orbit))
        orbit_accesses(0, 0);
    if (RT_UNLIKELY(t->follower))
        orbit_start_follower(t);
}
/* Nobody can go on: is there one to start? */
bool orbit_start_others(void) ORBIT_RARE;

/* t is joined; with its result? */
void orbit_count_join(const struct thread *t, bool result) ORBIT_RARE;
static inline void orbit_joined(const struct thread *t, bool result)
{
    if (RT_UNLIKELY(t->orbit))
        orbit_count_join(t, result);
}
/* The running thread reads or writes what a thread has accessed that it comes after. */
void orbit_meets(int thread) ORBIT_RARE;
static inline void orbit_touches(int thread)
{
    if (RT_UNLIKELY(rt.half_joined))
        orbit_meets(thread);
}

/* The running thread, or t, does what only it can do, or is named: its number, an address that depends
 * on it. */
void orbit_shown(struct thread *t) ORBIT_RARE;
static inline void orbit_shows(void)
{
    if (RT_UNLIKELY(rt.orbits))
        orbit_shown(rt.self);
}
static inline void orbit_named(int t)
{
    if (RT_UNLIKELY(rt.orbits) && t > 0)
        orbit_shown(&rt.all[t]);
}
/* Somebody uses thread-local storage. */
void orbit_uses_tls(void) ORBIT_RARE;

#endif
