/* The stacks and thread-local variables of threads as memory that ends with its thread (stack.c). */
#ifndef RT_STACK_H
#define RT_STACK_H

#include "rt/core/rt.h"
#include "trace/addresses.h"

#pragma GCC visibility push(hidden)

/* Main's stay where they are as long as the process does, so only those of other threads count. */
static inline bool stack_of_thread(uintptr_t address)
{
    return address - (STACKS_BASE + STACK_SIZE) <
           LOCALS_BASE + LOCALS_SIZE * ADDRESS_THREADS - (STACKS_BASE + STACK_SIZE);
}

/* The running thread uses that memory, which stack_of_thread() is true of; called at least once in each
 * of its epochs (race.c). */
void stack_used(uintptr_t address, bool write, uintptr_t pc);
void stack_ends(void); /* with the running thread */

#pragma GCC visibility pop

#endif
