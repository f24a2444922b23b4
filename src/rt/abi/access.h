/* Memory accesses of the program: what access.c and atomic.c share. */
#ifndef RT_ACCESS_H
#define RT_ACCESS_H

#include "rt/core/rt.h"

uint64_t access_value(uintptr_t address, size_t size); /* what is there now (up to 8 bytes) */
uint64_t access_peek(uintptr_t address, size_t size);  /* the same; 0 where nothing is mapped */
/* The same without a system call; not in a handler of crashes. */
uint64_t access_look(uintptr_t address, size_t size);
bool access_try(void *to, uintptr_t from, size_t size); /* copies it; false: it cannot be read */
bool access_mapped(uintptr_t address, size_t size);
void access_record(uintptr_t address, size_t size, bool write, uintptr_t pc); /* for the story */
void access_load_racy(uint32_t count); /* makes the first so many racy accesses scheduling points */
void access_resolve_racy(void); /* adds shared->racy_names, given as module+offset, to shared->racy */
/* atomic.c: an atomic operation (EV_LOAD, EV_STORE, EV_CAS) that the caller performs in between. */
struct event *atomic_before(enum event_kind kind, uintptr_t address, uint32_t size, uintptr_t pc);
void atomic_after(struct event *op);
void atomic_set_byte(volatile uint8_t *a, uint8_t v, uintptr_t pc); /* atomic.c: a release store */

#pragma GCC visibility push(hidden)

bool access_recovers(void *context, uintptr_t at); /* of a fault: it was access_look's, which goes on */
void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc); /* plain */
bool access_racy_slow(uintptr_t pc, uintptr_t address, size_t size);
static inline bool access_is_racy(uintptr_t pc, uintptr_t address, size_t size)
{
    return RT_UNLIKELY(rt.racy_filter[(pc ^ pc >> 12) & 4095]) && access_racy_slow(pc, address, size);
}

#pragma GCC visibility pop

#endif
