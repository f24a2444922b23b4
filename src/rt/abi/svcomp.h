/* Atomic sections: __VERIFIER_atomic_begin/end and functions named __VERIFIER_atomic_*. */
#ifndef RT_SVCOMP_H
#define RT_SVCOMP_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
void svcomp_init(void);  /* finds the functions by their names */
void svcomp_reset(void); /* a new execution */
/* Before the running thread announces an operation, and when it has been picked to perform it; only
 * called if rt.atomics is set. */
void svcomp_before(void);
void svcomp_picked(void);
bool svcomp_in_function(uintptr_t pc); /* in one of the named functions? */
#pragma GCC visibility pop

#endif
