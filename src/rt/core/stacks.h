/* Stacks of threads: where they are, how large, and how much of it a thread may use (stacks.c). */
#ifndef RT_STACKS_H
#define RT_STACKS_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void stacks_usual(struct thread *t);
void stacks_want(struct thread *t, size_t size); /* unless that is the usual one */
bool stacks_take(struct thread *t, void *at, size_t size); /* the program's own, if large enough */
extern bool stacks_guarded[EVENT_MAX_THREADS]; /* as for a thread that asked for nothing */
void stacks_guard(const struct thread *t); /* before it is used, unless it is that */
size_t stacks_room(const struct thread *t); /* what it asked for, or what it has */
bool stacks_is_closed(uintptr_t address); /* to the running thread, on its stack */
/* The running thread came to such an address, being there: may it go on? */
bool stacks_opens(uintptr_t address, uintptr_t pc, uintptr_t sp);

#pragma GCC visibility pop

#endif
