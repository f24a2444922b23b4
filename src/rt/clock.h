#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include "rt/rt.h"

void clock_random(void *out, size_t n); /* of the running thread's */

#endif
