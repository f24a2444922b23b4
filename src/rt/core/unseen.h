/* With --match states: does anybody write to the program's data without an event that tells so? */
#ifndef RT_UNSEEN_H
#define RT_UNSEEN_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Bytes of the heap, and of what a thread has mapped, that are looked at. */
#define UNSEEN_MOST (16ull << 20)

void unseen_begin(void); /* an execution */
void unseen_expect(uint64_t address, uint64_t size); /* the runtime itself has written there */
/* The running thread: its stack does not change from there on; 0: it is not known from where. */
void unseen_stands(uintptr_t sp);
bool unseen_changes(void); /* since main was alone, as far as the running thread has gone */

#pragma GCC visibility pop

#endif
