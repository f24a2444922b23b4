/* The accesses that take part in data races, as a set (racy.c). */
#ifndef RT_RACY_H
#define RT_RACY_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Its place in shared->racy; SHARED_RACY: it is not there. */
uint32_t racy_place(uintptr_t pc);

/* Was it known before this execution, so that it is a scheduling point? */
static inline bool racy_is_point(uintptr_t pc)
{
    return racy_place(pc) < rt.racy_in_effect;
}

#pragma GCC visibility pop

#endif
