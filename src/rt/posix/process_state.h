/* What a process has one of and the kernel keeps (process_state.c). */
#ifndef RT_PROCESS_STATE_H
#define RT_PROCESS_STATE_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
enum process_part { PROCESS_MASK, PROCESS_LIMITS, PROCESS_PRIORITY, PROCESS_ALARM };
/* Around what sets it (looks: only asks); NULL, as long as there is one thread. Then table_done. */
struct event *process_step(enum process_part part, bool looks, uint64_t pc);
void process_state_reset(void);

/* Calls that are not performed. What the program does in the rest of the execution may follow from that:
 * it does not count as a bug where the refusal may explain it. */
enum refused {
    REFUSED_COMMAND = 1, /* nobody waits for what it would have done */
    REFUSED_PROCESS,
};
void process_note_refused(enum refused how, const char *what);
/* The call that may be the reason for a finding of that kind; NULL: none. */
const char *process_refused_before(enum finding_kind kind);
bool process_has_user(void); /* the execution has changed its user or group (identity.c) */
void process_keeps_user(void);
#pragma GCC visibility pop

#endif
