/* The life of conditions, semaphores and barriers, from initialisation to destruction (life.c). */
#ifndef RT_LIFE_H
#define RT_LIFE_H

#include "rt/core/sync.h"

#pragma GCC visibility push(hidden)

/* A misuse if s is destroyed; asked before waiting for it. */
void life_check(const struct sync *s, uint64_t pc);
/* The running thread is about to perform the announced operation on s: the same. */
void life_use(struct sync *s, struct event *op);
/* Destroys s: a misuse if that is done already, if threads wait (s->holders, or for a token), or if another
 * thread has used it and nothing orders that before. */
void life_destroy(struct sync *s, uint64_t pc);
/* A new object at the address. The same if there is one already, which was not destroyed. */
struct sync *life_begin(uint64_t address, enum sync_type type, uint64_t pc);

#pragma GCC visibility pop

#endif
