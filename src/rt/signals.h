/* Signals of the program, for signal.c (crashes) and clock.c (sleeping). */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include "rt/rt.h"

#include <signal.h>

const struct sigaction *signals_action(int sig);
void signals_slept(void); /* the running thread's time has moved on */

/* Sends a signal with a value; thread -1: to the process. */
void signals_notify(int thread, int sig, union sigval value, uint64_t pc);

#endif
