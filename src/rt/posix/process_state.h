/* What a process has one of and the kernel keeps (process_state.c). */
#ifndef RT_PROCESS_STATE_H
#define RT_PROCESS_STATE_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
enum process_part { PROCESS_MASK, PROCESS_LIMITS, PROCESS_PRIORITY, PROCESS_ALARM };
/* Around what sets it (looks: only asks); NULL, as long as there is one thread. Then table_done. */
struct event *process_step(enum process_part part, bool looks, uint64_t pc);
void process_state_reset(void);
#pragma GCC visibility pop

#endif
