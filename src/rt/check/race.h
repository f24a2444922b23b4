/* The data race check (race.c). */
#ifndef RT_RACE_H
#define RT_RACE_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

enum { RACE_WRITE = 1, RACE_ATOMIC = 2 };
void race_init(void);
size_t race_range(char **start); /* what is remembered lies there, and so much */
void race_access(uintptr_t address, size_t size, uintptr_t pc, int flags); /* by rt.current */
/* The memory ends (free): a write that need not be remembered, for the heap's shadow does. */
void race_end_of_life(uintptr_t address, size_t size, uintptr_t pc);
/* An access is held against earlier ones and not remembered; what comes later would crash. */
void race_compare(uintptr_t address, size_t size, uintptr_t pc, int flags);
/* Would it be in a race with an earlier one, by a thread with that clock? */
bool race_would(uintptr_t address, size_t size, int flags, const struct vclock *clock);
/* t, which waits, leaves out a write there: if it is in a race, await_reads_raced is told. */
void race_left(const struct thread *t, uintptr_t address, size_t size);
/* From now on only atomic operations use this memory, and they are noted in struct sync.seen; false if
 * it is used otherwise already, other than by what happens before all that follows. The first plain access
 * sets sync.mixed. */
bool race_claim_atomic(uintptr_t address, size_t size);
void race_forget(uintptr_t address, size_t size); /* fresh memory: earlier accesses do not count */
/* Executions are told apart by rt.generation; nothing needs to be cleared. */

#pragma GCC visibility pop

#endif
