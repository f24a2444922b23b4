#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "rt/rt.h"

void clock_thread_begin(const struct thread *t); /* a new thread's random sequence */
void clock_random(void *out, size_t n);          /* of the running thread's */

#endif
