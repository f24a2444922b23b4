/* Signals that the program sends itself (signals.c). */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include "rt/core/rt.h"

#include <signal.h>

#define SIGNAL_BIT(sig) (1ull << ((sig)-1))

/* What comes with a signal: how it was sent (si_code), and a value. */
struct signal_note {
    int code;
    union sigval value;
};

const struct sigaction *signals_action(int sig);
/* The running thread's time has moved on. If an alarm went off meanwhile whose handler interrupts it, it has
 * moved to that moment only: how much is left. */
uint64_t signals_slept(void);

/* Sends a signal with what comes with it; thread -1: to the process. */
void signals_notify(int thread, int sig, struct signal_note note, uint64_t pc);

#pragma GCC visibility push(hidden)

bool signals_attend(void);      /* runs handlers of pending signals; did any run? */
void signals_set_mask(uint64_t mask); /* of the running thread; what is unblocked is attended to */
bool signals_come(const struct thread *t); /* would any? */
uint32_t signals_handled(void); /* handlers that have run in the running thread */
void signals_raise(int thread, int sig, uint64_t pc); /* -1: to the process */
void signals_carry(int code, union sigval value); /* what the next signal that this thread sends carries */
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
