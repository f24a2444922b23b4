/* Functions of the program: where the one around a place begins and ends, and which of the calls in it are
 * calls of the compiler's hooks. */
#ifndef RT_CODE_FUNCTION_H
#define RT_CODE_FUNCTION_H

#include "rt/code/decode.h"
#include "rt/core/rt.h"

#define FUNCTION_BYTES 16384 /* longer ones are not examined */

struct function {
    uintptr_t start, size;
};

void function_init(void);

/* False: not known, too long, or it has handlers for exceptions, which are entered from calls. */
bool function_find(uintptr_t pc, struct function *out);

/* What the call at `at` does with the addresses it is given: how many bytes it may read or write at its
 * first argument (atomics) and at its second (a compare-exchange: what it expects, and what it found).
 * If it is none of a hook: anything. */
struct hook_use {
    bool hook;
    uint8_t reads[2];
    uint8_t arguments; /* so many at most, in registers */
    bool local;        /* a function of the program: its callers may know that it keeps more than it must */
    bool gives_way;    /* does nothing else, though what it does may take long */
    bool pauses;       /* and nobody is told of it */
    bool tells;        /* a plain access, of which it is told before it is made */
    uint8_t loads;     /* so many bytes, atomically, and does nothing else */
    uint16_t spoils;   /* if it gives way: registers that it writes */
};
struct hook_use function_hook(uintptr_t at, const struct instruction *call);

#endif
