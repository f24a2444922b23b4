/* One execution of the program (execution.c). */
#ifndef RT_EXECUTION_H
#define RT_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void execution_run(void); /* along the prefix, then as the engine wants; again, if it had to be given up */
void execution_engine_begins(void); /* before each attempt from the beginning */

/* For halfway.c. The program is about to run, with so many racy accesses. */
void execution_begins(uint32_t racy);
/* true: this is a child that was made to go on; false: it has ended, with that status. */
bool execution_fork(int *status);
void execution_dies_with(long parent); /* this process, when that one does */

#pragma GCC visibility pop

#endif
