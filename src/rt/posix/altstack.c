/* The alternate signal stacks of the program's threads. (The kernel's one is the runtime's, for crashes.)
 * Whether a thread is on its own follows from where it stands, so that it may also jump out of a handler. */
#include "rt/posix/altstack.h"

#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/posix/strings.h"

#include <errno.h>
#include <ucontext.h>

enum { SMALLEST = 2048 }; /* that the kernel takes; MINSIGSTKSZ is larger on some machines */

/* Those of new threads have size 0: none. */
static stack_t stacks[EVENT_MAX_THREADS];
static bool any;

void altstack_call(void (*f)(int, siginfo_t *, void *), int sig, siginfo_t *info, void *context, void *top);

void altstack_reset(void)
{
    if (any)
        rt_fill(stacks, 0, sizeof stacks);
    any = false;
}

static bool is_on(const stack_t *s, const void *here)
{
    return (uintptr_t)here - (uintptr_t)s->ss_sp < s->ss_size;
}

static void run(const struct sigaction *a, int sig, siginfo_t *info, ucontext_t *context)
{
    const stack_t *s = &stacks[rt.current];
    /* A handler that takes one argument does not look at the others. */
    if (a->sa_flags & SA_ONSTACK && s->ss_size && !is_on(s, __builtin_frame_address(0)))
        altstack_call(a->sa_sigaction, sig, info, context, (char *)s->ss_sp + s->ss_size);
    else
        a->sa_sigaction(sig, info, context);
}

void altstack_run(const struct sigaction *a, int sig, siginfo_t *info, uint64_t blocked)
{
    ucontext_t context;
    if (!(a->sa_flags & SA_SIGINFO)) {
        run(a, sig, info, NULL);
        return;
    }
    getcontext(&context); /* of the call that it interrupts */
    rt_copy(&context.uc_sigmask, &blocked, sizeof blocked);
    run(a, sig, info, &context);
}

static int change(stack_t *s, const stack_t *new)
{
    bool off = new->ss_flags & SS_DISABLE;
    if (is_on(s, __builtin_frame_address(0)))
        errno = EPERM;
    else if (new->ss_flags & ~SS_DISABLE)
        errno = EINVAL;
    else if (!off && new->ss_size < SMALLEST)
        errno = ENOMEM;
    else {
        *s = off ? (stack_t){0} : *new;
        any = true;
        return 0;
    }
    return -1;
}

RT_EXPORT int sigaltstack(const stack_t *new, stack_t *old)
{
    PASSIVE(sigaltstack, new, old);
    strings_write(old, old ? sizeof *old : 0, RT_PC());
    stack_t *s = &stacks[rt.current], before = *s;
    if (!before.ss_size)
        before.ss_flags = SS_DISABLE;
    else
        before.ss_flags = is_on(s, __builtin_frame_address(0)) ? SS_ONSTACK : 0;
    if (new)
        capture_changes("a thread changes the stack of its signal handlers");
    if (new && change(s, new))
        return -1;
    if (old)
        *old = before;
    return 0;
}
