/* The system call futex (futex.c). */
#ifndef RT_FUTEX_H
#define RT_FUTEX_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { FUTEX_UNKNOWN = -2 }; /* an operation that is not modelled */
/* Its arguments as the program gave them; the result, or -1 with errno. */
long futex_call(const long a[6], uint64_t pc);

#pragma GCC visibility pop

#endif
