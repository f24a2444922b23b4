/* A strategy that compares states has found a circle that threads can go round for ever (engine.round): the
 * execution has gone round it twice. */
#ifndef RT_ROUND_H
#define RT_ROUND_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Ends the execution: with the finding, if its last `length` steps did the same as those before them. The
 * last step of the schedule says so, for those who follow it. */
void round_ends(uint32_t length) __attribute__((noreturn));

#pragma GCC visibility pop

#endif
