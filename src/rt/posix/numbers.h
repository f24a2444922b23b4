/* The numbers of descriptors (numbers.c). */
#ifndef RT_NUMBERS_H
#define RT_NUMBERS_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Around a call that opens descriptors, closes fd, makes fd another descriptor, or uses what fd is.
 * `later`: the call was a step on something else, too, so others could come between. */
void numbers_before_open(uint64_t pc);
void numbers_opened(const int *fds, int count, uint64_t pc); /* -1: it failed */
void numbers_before_close(int fd, uint64_t pc);
void numbers_closed(int fd, bool later, uint64_t pc);
void numbers_before_replace(int fd, uint64_t pc); /* numbers_opened comes after it */
void numbers_before_use(int fd, uint64_t pc);
void numbers_used(bool later); /* whatever the thread said it would use, if anything */

void numbers_reset(void);

#pragma GCC visibility pop

#endif
