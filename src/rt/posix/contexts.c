/* Coroutines: a thread that changes its stack by itself. The C library does that; here it is
 * noted that it writes what it saves and reads where it goes on, so that two threads that go on
 * with one coroutine race as if they had done so themselves. Masks of signals never go to the
 * kernel (signals.c): they lie in a part of the context that the library does not use, as those
 * of jump.c do, and what the program itself asks for in uc_sigmask is added. A coroutine that
 * ends comes back to the library, which goes on with its uc_link unseen; so that return address
 * is replaced by one of ours. */
#include "rt/core/interpose.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"

#include <stdlib.h>
#include <ucontext.h>

#define MAGIC 0x7261646c656d6173u
enum { GIVEN = 0, AT_MASK = 10, AT_MAGIC = 11 };

#pragma GCC visibility push(hidden)
void *contexts_getcontext(ucontext_t *to, void *none, uintptr_t pc);
void *contexts_makecontext(ucontext_t *to, void *function, uintptr_t pc);
void *contexts_setcontext(ucontext_t *from, void *none, uintptr_t pc);
void *contexts_swapcontext(ucontext_t *to, ucontext_t *from, uintptr_t pc);
void contexts_ended(void);
void contexts_link(ucontext_t *next) __attribute__((noreturn));
#pragma GCC visibility pop

static void save(ucontext_t *to, uintptr_t pc)
{
    strings_write(&to->uc_mcontext, sizeof to->uc_mcontext, pc);
    if (!rt.active)
        return;
    to->uc_sigmask.__val[AT_MASK] = rt.self->mask;
    to->uc_sigmask.__val[AT_MAGIC] = MAGIC;
}

static uintptr_t *returns_to(const ucontext_t *c)
{
    return (uintptr_t *)c->uc_mcontext.gregs[REG_RSP];
}

/* Where the library has coroutines return to. */
static uintptr_t library_end(void)
{
    static uintptr_t end;
    uint64_t stack[64];
    ucontext_t c = {.uc_stack = {.ss_sp = stack, .ss_size = sizeof stack}};
    if (!end) {
        REAL(makecontext)(&c, contexts_ended, 0);
        end = *returns_to(&c);
    }
    return end;
}

static void go_on(ucontext_t *from, uintptr_t pc)
{
    strings_read(&from->uc_mcontext, sizeof from->uc_mcontext, pc);
    if (!rt.active)
        return;
    if (*returns_to(from) == library_end()) /* it has not begun */
        *returns_to(from) = (uintptr_t)contexts_ended;
    unsigned long *mask = from->uc_sigmask.__val;
    mask[AT_MASK] = mask[GIVEN] | (mask[AT_MAGIC] == MAGIC ? mask[AT_MASK] : 0);
    mask[AT_MAGIC] = MAGIC;
    mask[GIVEN] = 0; /* what the library gives to the kernel */
    if (mask[AT_MASK] != rt.self->mask)
        signals_set_mask(mask[AT_MASK]);
}

/* For contexts_call.S, called from pc; the functions to go on with. */
void *contexts_getcontext(ucontext_t *to, void *none, uintptr_t pc)
{
    (void)none;
    save(to, pc);
    return (void *)REAL(getcontext);
}

void *contexts_makecontext(ucontext_t *to, void *function, uintptr_t pc)
{
    (void)function;
    strings_write(&to->uc_mcontext, sizeof to->uc_mcontext, pc);
    return (void *)REAL(makecontext);
}

void *contexts_setcontext(ucontext_t *from, void *none, uintptr_t pc)
{
    (void)none;
    go_on(from, pc);
    return (void *)REAL(setcontext);
}

void *contexts_swapcontext(ucontext_t *to, ucontext_t *from, uintptr_t pc)
{
    save(to, pc);
    go_on(from, pc);
    return (void *)REAL(swapcontext);
}

/* A coroutine has returned. */
void contexts_link(ucontext_t *next)
{
    if (!next)
        exit(0); /* as the library does */
    if (rt.active)
        go_on(next, rt.next[rt.current].pc); /* about where that was */
    REAL(setcontext)(next);
    abort();
}
