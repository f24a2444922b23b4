#ifndef RT_CALLER_H
#define RT_CALLER_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
void caller_init(void);
bool caller_is_unwinder(uintptr_t pc); /* in libgcc, whose own locks concern nobody */
#pragma GCC visibility pop

#endif
