/* Atomic sections: __VERIFIER_atomic_begin/end and functions named __VERIFIER_atomic_*. */
#ifndef RT_SVCOMP_H
#define RT_SVCOMP_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
void svcomp_reset(void); /* a new execution */
/* Before the running thread stands before op, which it can perform if ready: is it in a section, so that it
 * goes on without a step? */
bool svcomp_within(const struct event *op, bool ready);
void svcomp_chooses(void); /* a choice inside of a section */
#pragma GCC visibility pop

#endif
