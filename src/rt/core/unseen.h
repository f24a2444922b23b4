/* With --match states: does anybody write to the program's data without an event that tells so? */
#ifndef RT_UNSEEN_H
#define RT_UNSEEN_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void unseen_begin(void); /* an execution */
bool unseen_changes(void); /* since main was alone, as far as the running thread has gone */

#pragma GCC visibility pop

#endif
