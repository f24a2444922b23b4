/* Loops that try a lock until they get it (await_try.c): the thread waits for the lock instead. For engines
 * that know of rounds which did not happen (engine.awaits). */
#ifndef RT_AWAIT_TRY_H
#define RT_AWAIT_TRY_H

#include "rt/core/rt.h"
#include "rt/core/sync.h"

#pragma GCC visibility push(hidden)

/* Before an execution, after await_reset. */
void await_try_reset(void);

/* A try has failed again at the same place, and the thread has done nothing else: from now on its state is
 * known when it comes there. */
void await_try_learn_place(const struct thread *t, const struct event *op);

/* While rt.tries. Before a try is announced: if it fails the thread only comes back to it, so
 * that it may as well wait. */
bool await_try_waits(const struct event *op, const struct sync *s);
/* After a try that was announced as such has failed. */
void await_try_failed(void);
/* Somebody is to be interrupted or cancelled: a thread that tries notices, one that waits may not. At any
 * time. */
void await_try_disturbed_slow(void);
static inline void await_try_disturbed(void)
{
    if (RT_UNLIKELY(rt.tries))
        await_try_disturbed_slow();
}

/* Is it a try that the thread stands before, though it waits? */
bool await_try_stands(const struct thread *t);

#pragma GCC visibility pop

#endif
