/* Threads that are alike: created one after the other by the same thread to run the same function with the
 * same argument, and told apart by nobody (orbit.c). The start of each is put off until the one created
 * before it has performed its first operation: of the executions that differ only in which of them is
 * which, one is explored. For engines that want it (engine.orbits). */
#ifndef RT_ORBIT_H
#define RT_ORBIT_H

#include "rt/core/rt.h"

void orbit_begin(void); /* before an execution */

/* The running thread is about to create one: will that be like the one created last? */
bool orbit_alike(const void *attr, void *(*start)(void *), void *arg);
/* It has: true if the new thread is not to start yet. */
bool orbit_created(struct thread *t, bool alike, bool usual);

/* After each event, while rt.heeds. */
void orbit_heed(const struct event *e);
/* The running thread ends. */
void orbit_ends(void);
/* Nobody can go on: is there one to start? */
bool orbit_start_others(void);

/* t is joined; with its result? */
void orbit_joined(const struct thread *t, bool result);
/* The running thread reads or writes what a thread has accessed that it comes after. */
void orbit_meets(int thread);

/* The running thread, or t, does what only it can do, or is named: its number, an address that depends on it. */
void orbit_shown(struct thread *t);
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
void orbit_uses_tls(void);

#endif
