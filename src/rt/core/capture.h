/* What a thread has of its own where it stands before an operation: what the operation is called with, live
 * registers and stack (code/live.h), thread-local variables, specific data, signal mask, how far its heap and
 * its random numbers are. Two threads' states that agree in this, in shared memory and in the objects behave
 * alike. For strategies that compare states (engine.captures).
 *
 * Parts of stacks and thread-local variables that another thread has been seen to use (engine.foreign) are
 * shared memory like any other, and no part of this.
 * What the program can notice and this does not hold (time that is read, data of libraries, memory that is
 * used again) is named, and the verdict is incomplete. */
#ifndef RT_CAPTURE_H
#define RT_CAPTURE_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Before an execution, in the process that begins it. */
void capture_begin(void);

/* The access or atomic that is announced next is not all that the program's call does, or what it is called
 * with is not known. */
void capture_part(void);
/* It is called with this, beside what the event says. */
void capture_argument(uint64_t argument);

/* The running thread stands before its operation. */
void capture_stand(void);

/* It waits for something else. */
void capture_none(void);
/* Something that is no part of what is captured has an effect on the program. */
void capture_hidden(const char *what);
static inline void capture_noticed(const char *what)
{
    if (RT_UNLIKELY(rt.captures))
        capture_hidden(what);
}

/* Something changes what threads can ask for and is no part of what is captured. Before there are threads it
 * is the same for all that follows. */
void capture_change(const char *what);
static inline void capture_changes(const char *what)
{
    if (RT_UNLIKELY(rt.captures))
        capture_change(what);
}

/* The execution is cut: if a thread has allocated on and on, that is why it did not come back to a state. */
void capture_too_long(void);

/* For engine.owner_of: the thread whose stack or thread-local block it lies in, or -1. */
int capture_owner(uint64_t address);

#pragma GCC visibility pop

#endif
