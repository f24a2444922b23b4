/* Crashes and runaway loops of the program (crash.c). */
#ifndef RT_CRASH_H
#define RT_CRASH_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

#define CRASH_STACK (64u << 10)
void crash_init(void);
void crash_signal_stack(void *memory); /* of this kernel thread: CRASH_STACK bytes for its handlers */
uint64_t crash_interrupted_at(void *context); /* a signal: the place in the program */

#pragma GCC visibility pop

#endif
