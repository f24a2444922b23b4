/* malloc and its shadow (heap.c, heap_block.c, heap_check.c). */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Shadow: 8 = all eight bytes may be accessed, 1…7 = the first k, 0 = none (never allocated,
 * between blocks), 0x80 = freed. */
void heap_init(void);
void heap_reset(void);   /* a new execution: every arena but the one of before main is empty again */
void heap_freeze(void);  /* from now on allocations belong to executions */
void heap_persistent(bool on); /* allocations meanwhile survive (dlopen, thread slots) */
void heap_init_range(char **start, size_t *size); /* memory allocated before main, to be put back */
size_t heap_range(int thread, char **start); /* what that one has allocated lies there, and so much */
void heap_leaks(void);   /* at the end of an execution: warns about blocks nobody freed */
void heap_bad_access(uintptr_t address, size_t size, bool write, uintptr_t pc);
bool heap_extent(uintptr_t address, uintptr_t *start, uint64_t *size); /* of the live block it lies in */
/* What its next allocations depend on; false: memory that was freed is given out again. */
bool heap_shape(int thread, uint64_t out[2]);
/* Calls for each block that threads have and did not free; false: one of the calls gave false. That
 * they are more than `most` bytes together is told instead. */
bool heap_each(uint64_t most, bool (*with)(uintptr_t start, size_t size));
void heap_check_slow(uintptr_t address, size_t size, bool write, uintptr_t pc);
void *heap_allocate(size_t size, size_t alignment, uintptr_t pc); /* malloc for a caller at pc */
void heap_free(void *p, uintptr_t pc);                            /* free */
static inline __attribute__((always_inline)) void heap_check(uintptr_t address, size_t size,
                                                             bool write, uintptr_t pc)
{
    if (address - HEAP_BASE < HEAP_SIZE) {
        uint8_t s = *(uint8_t *)(HEAP_SHADOW + ((address - HEAP_BASE) >> 3));
        if (RT_UNLIKELY(s != 8 || (address & 7) + size > 8))
            heap_check_slow(address, size, write, pc);
    }
}

#pragma GCC visibility pop

#endif
