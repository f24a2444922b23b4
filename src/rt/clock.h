#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "rt/rt.h"

#include <time.h>

void clock_thread_begin(const struct thread *t); /* a new thread's random sequence */
/* `status` of a timed wait; if that is ETIMEDOUT, the time it waited for has come. */
int clock_waited(int status, const struct timespec *until);
void clock_random(void *out, size_t n);          /* of the running thread's */

#endif
