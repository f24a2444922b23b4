/* The worker's side of a shared search (struct exchange in trace/shared.h). */
#ifndef RT_TEAM_H
#define RT_TEAM_H

#include "rt/core/rt.h"

/* Goes on from the checkpoint, or waits for something to do; false: there is nothing left. */
bool team_resume(void);
/* After each end(): tells the host what it must know, does what it wants. `more`: the engine has
 * another execution; returns whether there is one. */
bool team_between(bool more);
/* New scheduling points: all workers begin again. */
bool team_again(void);

/* --max-executions of a search that is shared: is one left for this worker? */
bool team_may_execute(void);
void team_discard(void); /* what was counted so far is void */
void fresh_engine(void); /* start.c */

void layout_note(void); /* layout.c: shared->layout */
void traces_write(void); /* traces.c: the canonical line of the execution just done */

#endif
