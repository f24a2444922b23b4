/* Rounds that take a mutex, look at what it protects and give it back (await_lock.c): such a round did not
 * happen if nobody could have seen it. For engines that know of it (engine.lock_rounds). */
#ifndef RT_AWAIT_LOCK_H
#define RT_AWAIT_LOCK_H

#include "rt/core/rt.h"
#include "rt/core/sync.h"

#pragma GCC visibility push(hidden)

void await_lock_init(void);
/* Before an execution, after await_reset. */
void await_lock_reset(void);

/* A thread comes back to the lock of such a round, having changed nothing: from now on its state is known
 * when it comes there. True: that is new, and the search begins again. */
bool await_lock_learn_place(uint64_t pc);

/* The rest only while rt.lock_rounds. Before a lock is announced: is it one to wait at (EVENT_SPINNING)? */
void await_lock_stands(struct event *op);
/* After it was performed; before, and after, that mutex is given back. */
void await_lock_taken(const struct sync *s);
bool await_lock_inside(const struct sync *s);
void await_lock_given(void);
/* Was nothing done from that event on but to give way? */
bool await_lock_gave_way(uint32_t event);
/* A plain read within a round; a write by anybody. */
void await_lock_read(uintptr_t address, uint32_t size);
void await_lock_wrote(uintptr_t address, size_t size);
/* Somebody asks whether the mutex is taken without waiting for it, or ends its life. */
void await_lock_tried(uint64_t mutex);
void await_lock_destroyed(uint64_t mutex);

/* Before a decision: who may go on now? */
void await_lock_reconsider(void);

#pragma GCC visibility pop

#endif
