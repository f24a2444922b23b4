/* Where a program calls what raddle sees: the compiler's hooks for shared memory, and the commonest
 * operations on threads. What executions can reach, found in the machine code without running it.
 */
#ifndef REPORT_CALLSITES_H
#define REPORT_CALLSITES_H

#include "base/mem.h"

#include <stdint.h>

struct callsites {
    VEC(uint64_t) items; /* return addresses, as the program lies in memory */
};

/* None if the file cannot be read or is not for x86-64. */
void callsites_find(struct callsites *out, const char *program);
void callsites_free(struct callsites *c);

#endif
