/* Alternate signal stacks (altstack.c). */
#ifndef RT_ALTSTACK_H
#define RT_ALTSTACK_H

#include "rt/core/rt.h"

#include <signal.h>

#pragma GCC visibility push(hidden)
void altstack_reset(void); /* a new execution */
/* Runs the handler of the running thread, which blocked that before, on its alternate stack if the action
 * wants that. */
void altstack_run(const struct sigaction *a, int sig, siginfo_t *info, uint64_t blocked);
#pragma GCC visibility pop

#endif
