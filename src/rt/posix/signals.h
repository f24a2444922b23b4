/* Signals that the program sends itself (signals.c). */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include "rt/core/rt.h"

#include <signal.h>

#define SIGNAL_BIT(sig) (1ull << ((sig)-1))

const struct sigaction *signals_action(int sig);
void signals_slept(void); /* the running thread's time has moved on */

/* Sends a signal with a value; thread -1: to the process. */
void signals_notify(int thread, int sig, union sigval value, uint64_t pc);

#pragma GCC visibility push(hidden)

bool signals_attend(void);      /* runs handlers of pending signals; did any run? */
uint32_t signals_handled(void); /* handlers that have run in the running thread */
void signals_raise(int thread, int sig, uint64_t pc); /* -1: to the process */
void signals_carry(union sigval value); /* what the next signal that this thread sends carries */
bool signals_would_kill(int sig); /* nobody handles it, or blocks it to wait for it */
void signals_reset(void);
bool signals_pending(uint64_t among); /* one of them, for the process */
/* Waits for one of them, or (timed) only looks if nobody sends one; the signal, or -1 with errno. */
int signals_wait_for(uint64_t set, siginfo_t *info, bool timed, uint64_t pc);
void signals_pend(int thread, struct event *op); /* a signal (op->value) is sent; -1: to the process */
void alarm_reset(void);                          /* alarm.c */
bool signals_time_passes(void); /* nobody can go on: does a timer fire? */

#pragma GCC visibility pop

#endif
