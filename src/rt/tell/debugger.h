/* What a debugger is told and where it stops (debugger.c). */
#ifndef RT_DEBUGGER_H
#define RT_DEBUGGER_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void debugger_init(void);
void debugger_step(void);                            /* the running thread goes on with a step */
void debugger_finding(const struct finding *f);

#pragma GCC visibility pop

#endif
