/* What would differ from run to run and is always the same here (pinned.c). */
#ifndef RT_PINNED_H
#define RT_PINNED_H

#include <time.h>

#pragma GCC visibility push(hidden)
void pinned_begin(void); /* main begins: what the kernel has left in the process */
/* A time of a file: all that was changed since the process began was changed in the same moment. */
void pinned_time(struct timespec *t);
#pragma GCC visibility pop

#endif
