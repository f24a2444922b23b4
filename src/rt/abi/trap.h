/* System calls that reach the kernel without passing through a function the runtime defines. */
#ifndef RT_TRAP_H
#define RT_TRAP_H

#include "rt/core/rt.h"

void trap_init(void);
const char *trap_name(long number); /* of a system call, "?" if it has none */
/* Does the kernel tell the program something else after it? (trap.def) */
bool trap_kept(long number);
/* A system call of the program from outside of the C library, or unknown to the runtime. */
long syscall_controlled(long number, const long a[6], bool library, uint64_t pc);

#endif
