/* One execution of the program (execution.c). */
#ifndef RT_EXECUTION_H
#define RT_EXECUTION_H

#pragma GCC visibility push(hidden)

void execution_run(void); /* along the prefix, then as the engine wants; again, if it had to be given up */

#pragma GCC visibility pop

#endif
