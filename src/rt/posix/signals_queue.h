/* Real-time signals that are pending: each counts, with its value, in the order they were sent (POSIX
 * 2.4.2). Of the others one of a kind is pending at most. */
#ifndef RT_SIGNALS_QUEUE_H
#define RT_SIGNALS_QUEUE_H

#include "rt/posix/signals.h"

void queue_reset(void);

/* Does every signal of this number count? */
static inline bool queue_keeps(int sig)
{
    return sig > 31; /* SIGRTMIN is a call, and two below it are the C library's */
}

void queue_put(int thread, int sig, struct signal_note note); /* thread -1: for the process */
bool queue_take(int thread, int sig, struct signal_note *note); /* the first; is there another? */

#endif
