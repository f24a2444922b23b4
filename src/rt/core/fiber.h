/* Thread-local storage and switching (fiber.c). */
#ifndef RT_FIBER_H
#define RT_FIBER_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void fiber_init(void);
int fiber_slots(void); /* thread slots available */
void fiber_more_slots(int wanted);
uintptr_t fiber_fs(int slot);
int fiber_kernel_thread(int slot); /* that a debugger sees the thread as; 0: none */
int fiber_of_fs(uintptr_t fs); /* the slot; INT_MAX: none */
/* A module that was loaded later has thread-local variables. */
void fiber_late_tls(size_t module, const char *image, size_t image_size, size_t size);
void fiber_prepare(struct thread *t, void (*entry)(void)); /* fresh stack and TLS */
void fiber_switch(void **save_sp, void *load_sp, uintptr_t fs);
/* How the running thread computes with floating point: rounding, what is trapped, what has happened. */
#define FLOATS_CONTROL 0xffffffffffc0ul /* without what has happened */
static inline uint64_t fiber_floats(void)
{
    uint32_t sse;
    uint16_t x87, flags;
    __asm__ volatile("stmxcsr %0; fnstcw %1; fnstsw %2" : "=m"(sse), "=m"(x87), "=m"(flags));
    return sse | (uint64_t)x87 << 32 | (uint64_t)(flags & 0x3f) << 48;
}
static inline void fiber_set_floats(uint64_t floats)
{
    uint32_t sse = (uint32_t)floats;
    uint16_t x87 = (uint16_t)(floats >> 32);
    __asm__ volatile("ldmxcsr %0; fldcw %1" : : "m"(sse), "m"(x87));
}
void fiber_run_main(void); /* from the search loop, until a fiber leaves for it */
/* A fault at `address`: of fiber's own making? The execution may have to be repeated (rt.redo). */
bool fiber_first_tls(uintptr_t address);
bool fiber_runs(void); /* false: the search loop does */
bool fiber_traps(void); /* would it be noticed if somebody used any? */
/* Begin (true) and end of something the runtime does, in a fiber, that uses thread-local storage: that need
 * not be its own. Returns whether it was lent already. */
bool fiber_lend_tls(bool lend);
/* A thread's block of thread-local variables: where it begins, and its size; 0: it is not in use. */
size_t fiber_tls_block(int thread, uintptr_t *start);
int fiber_of_stack(uintptr_t address); /* thread whose stack it is in, -1 */
int fiber_of_local(uintptr_t address); /* thread whose slot, with its block, it is in */

#pragma GCC visibility pop

#endif
