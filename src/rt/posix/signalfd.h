/* Descriptors that signals are read from (signalfd.c). */
#ifndef RT_SIGNALFD_H
#define RT_SIGNALFD_H

#include <stddef.h>
#include <stdint.h>

struct descriptor;

void signalfd_reset(void);
long signalfd_read(const struct descriptor *d, void *to, size_t n, uint64_t pc);
void signalfd_follow(int sig, uint64_t pc); /* it is pending, or not any more: for those who poll, a step */
void signalfd_changed(int sig);             /* the same without a step, where nothing else can go on */
void signalfd_missed(int sig);              /* the same, in a way that is not followed */

#endif
