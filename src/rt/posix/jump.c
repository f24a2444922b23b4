/* sigsetjmp and siglongjmp: masks of signals are kept here and never given to the kernel (signals.c), so
 * the C library's pair does not restore them. The mask lies in a part of the jmp_buf that the library
 * does not use: it saves 64 signals in room for 1024. */
#include "rt/core/interpose.h"
#include "rt/posix/signals.h"

#include <setjmp.h>

#define MAGIC 0x7261646c656d6173u
enum { AT_MASK = 10, AT_MAGIC = 11 };

#pragma GCC visibility push(hidden)
void *jump_note(struct __jmp_buf_tag *env, int save);
#pragma GCC visibility pop

/* For setjmp.S; the function to go on with. */
void *jump_note(struct __jmp_buf_tag *env, int save)
{
    if (rt.active && save) {
        env->__saved_mask.__val[AT_MASK] = rt.self->mask;
        env->__saved_mask.__val[AT_MAGIC] = MAGIC;
    }
    return (void *)REAL(__sigsetjmp);
}

static void restore(const struct __jmp_buf_tag *env)
{
    if (!rt.active || !env->__mask_was_saved || env->__saved_mask.__val[AT_MAGIC] != MAGIC)
        return;
    if (env->__saved_mask.__val[AT_MASK] != rt.self->mask)
        signals_set_mask(env->__saved_mask.__val[AT_MASK]);
}

/* One function under three names. */
#define JUMPS(name)                                                                                \
    RT_EXPORT void name(struct __jmp_buf_tag env[1], int value)                                    \
    {                                                                                              \
        restore(env);                                                                              \
        REAL(name)(env, value);                                                                    \
        __builtin_unreachable();                                                                   \
    }
JUMPS(siglongjmp)
JUMPS(longjmp)
JUMPS(_longjmp)
