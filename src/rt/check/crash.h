/* Crashes and runaway loops of the program (crash.c). */
#ifndef RT_CRASH_H
#define RT_CRASH_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void crash_init(void);
uint64_t crash_interrupted_at(void *context); /* a signal: the place in the program */

#pragma GCC visibility pop

#endif
