#ifndef RT_CALLER_H
#define RT_CALLER_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
void caller_init(void);
bool caller_is_unwinder(uintptr_t pc); /* in libgcc, whose own locks concern nobody */
/* The frame of the program that has called us at pc, and its stack pointer before that call; false: none. */
bool caller_frame(uint64_t pc, struct frame *f, uintptr_t *sp);
#pragma GCC visibility pop

#endif
