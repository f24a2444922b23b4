/* Whose fault is a crash at this instruction? The runtime and the engine live in the tested
 * program's process, and what it calls may crash in them because of a pointer of its own.
 * scripts/own_code.c makes the table when the runtime is built. */
#ifndef RT_OWN_H
#define RT_OWN_H

#include <stdint.h>

enum own_class {
    OWN_END,     /* not in the runtime */
    OWN_PROGRAM, /* a function that works on the program's memory: the program's */
    OWN_RADDLE,  /* raddle's */
    OWN_ASK,     /* its caller's */
};

#define OWN_WORDS 16384

#pragma GCC visibility push(hidden)

enum own_class own_class(uintptr_t pc);
uintptr_t own_offset(uintptr_t pc); /* in the file of the runtime */

#pragma GCC visibility pop

#endif
