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

enum hook {
    HOOK_NONE,   /* another function */
    HOOK_ACCESS, /* is told an address */
    HOOK_ATOMIC, /* accesses up to 16 bytes at its first argument */
    HOOK_CAS,    /* and, at its second, what it expects and what it found */
};

/* What the call at `at` is a call of. */
enum hook function_hook(uintptr_t at, const struct instruction *call);

/* Bytes that it may read at its first and its second argument. */
struct hook_use {
    bool hook;
    uint8_t reads[2];
};
static inline struct hook_use function_hook_use(enum hook h)
{
    bool atomic = h == HOOK_ATOMIC || h == HOOK_CAS;
    return (struct hook_use){h != HOOK_NONE, {atomic ? 16 : 0, h == HOOK_CAS ? 16 : 0}};
}

#endif
