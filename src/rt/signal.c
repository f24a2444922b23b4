/* Crashes and runaway loops of the program. The handlers run on a stack of their own, write the
 * finding and leave for the search loop; the fiber is abandoned. Signal handlers of the program are
 * kept in a table and never installed: a crash is a finding whatever the program meant to do. */
#include "rt/interpose.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

static char alternate[64 << 10] __attribute__((aligned(16)));
static struct sigaction wanted[65];
static bool wanted_changed;

static const char *signal_text(int sig, int code)
{
    switch (sig) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return code == FPE_INTDIV ? "division by zero" : "arithmetic exception";
    case SIGILL:
        return "illegal instruction";
    case SIGTRAP:
        return "trap";
    default:
        return "signal";
    }
}

static void unblock_all(void)
{
    uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
}

static void crash_message(struct finding *f, int sig, const siginfo_t *info, uintptr_t address)
{
    const struct thread *t = rt.self;
    uintptr_t stack = (uintptr_t)t->stack;
    if (sig == SIGSEGV && address - (stack - 4096) < 3 * 4096)
        rt_format(f->message, sizeof f->message, "stack overflow (the stack has %zu KiB)",
                  t->stack_size >> 10);
    else if (sig == SIGSEGV && address < 4096)
        rt_format(f->message, sizeof f->message, "segmentation fault: null pointer (address %#lx)",
                  address);
    else if (sig == SIGSEGV || sig == SIGBUS)
        rt_format(f->message, sizeof f->message, "%s at address %#lx",
                  signal_text(sig, info->si_code), address);
    else
        rt_format(f->message, sizeof f->message, "%s", signal_text(sig, info->si_code));
}

struct place {
    uintptr_t any, own; /* first frame outside of the runtime; first in code built with raddle */
};

static _Unwind_Reason_Code look_for_program(struct _Unwind_Context *c, void *arg)
{
    struct place *p = arg;
    int exact = 0;
    uintptr_t ip = _Unwind_GetIPInfo(c, &exact);
    if (!ip || p->own)
        return _URC_END_OF_STACK;
    if (!rt_from_program(ip))
        return _URC_NO_REASON;
    ip += exact ? 1 : 0; /* as if it were a return address */
    if (!p->any)
        p->any = ip;
    if (restart_is_program(ip))
        p->own = ip;
    return _URC_NO_REASON;
}

/* Where the program was when the signal came: the innermost frame of code built with raddle, so
 * that a crash inside strlen is shown at the line that called it. */
static bool looking; /* a broken stack may crash the unwinder */

static uintptr_t interrupted_at(const ucontext_t *c)
{
    struct place p = {0};
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    if (!looking) {
        looking = true;
        rt.active = false; /* the unwinder's own locks are no operations of the program */
        _Unwind_Backtrace(look_for_program, &p);
    }
    rt.active = true;
    looking = false;
    if (p.own || p.any)
        return p.own ? p.own : p.any;
    return rt_from_program(pc) ? pc + 1 : rt.next[rt.current].pc;
}

/* Outside of the program's own code a crash is ours: the worker dies and the host tells. */
static void crashed(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    if (sig == SIGSEGV && restart_first_write((uintptr_t)info->si_addr))
        return;
    if ((!rt.active && !looking) || rt.over) {
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        REAL(sigaction)(sig, &fallback, NULL);
        return;
    }
    struct finding *f = finding_new(FINDING_CRASH, interrupted_at(c), 0, "%s", "");
    crash_message(f, sig, info, (uintptr_t)info->si_addr);
    if (wanted[sig].sa_handler != SIG_DFL)
        finding_fact(f, rt.current, (uint64_t)wanted[sig].sa_handler, 0,
                     "has a handler for this signal, which is not called");
    unblock_all();
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

/* The host saw no progress for --hang: the program loops in its own code or blocks in the kernel. */
static void hangs(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    if (!rt.active || rt.over)
        return;
    struct finding *f =
        finding_new(FINDING_LIVELOCK, interrupted_at(c), 0,
                    "the program hangs: no visible operation for %u ms",
                    rt.shared->config.hang_ms);
    finding_fact(f, rt.current, f->pc, 0, "runs (or blocks in the kernel) here");
    unblock_all();
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

void signal_init(void)
{
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    struct sigaction a = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (unsigned i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        REAL(sigaction)(fatal[i], &a, NULL);
    a.sa_sigaction = hangs;
    REAL(sigaction)(SIGUSR2, &a, NULL);
}

void signal_reset(void)
{
    if (wanted_changed)
        rt_fill(wanted, 0, sizeof wanted);
    wanted_changed = false;
}

RT_EXPORT int sigaction(int sig, const struct sigaction *action, struct sigaction *old)
{
    PASSIVE(sigaction, sig, action, old);
    if (sig < 1 || sig > 64 || sig == SIGKILL || sig == SIGSTOP) {
        errno = EINVAL;
        return -1;
    }
    if (old)
        *old = wanted[sig];
    if (action) {
        wanted[sig] = *action;
        wanted_changed = true;
    }
    return 0;
}

RT_EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
    PASSIVE(signal, sig, handler);
    struct sigaction a = {.sa_handler = handler}, old;
    return sigaction(sig, &a, &old) ? SIG_ERR : old.sa_handler;
}

/* Masks are kept, not applied: a blocked SIGSEGV would end the worker instead of being caught. */
static uint64_t masks[EVENT_MAX_THREADS];

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    uint64_t *mask = &masks[rt.current], given = 0;
    if (old) {
        sigemptyset(old);
        rt_copy(old, mask, sizeof *mask);
    }
    if (!set)
        return 0;
    rt_copy(&given, set, sizeof given);
    switch (how) {
    case SIG_BLOCK:
        *mask |= given;
        return 0;
    case SIG_UNBLOCK:
        *mask &= ~given;
        return 0;
    case SIG_SETMASK:
        *mask = given;
        return 0;
    default:
        return EINVAL;
    }
}

void signal_thread_begin(const struct thread *t)
{
    masks[t->id] = t->id ? masks[t->creator] : 0;
}

RT_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    PASSIVE(pthread_sigmask, how, set, old);
    return change_mask(how, set, old);
}

RT_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    PASSIVE(sigprocmask, how, set, old);
    int status = change_mask(how, set, old);
    if (status)
        errno = status;
    return status ? -1 : 0;
}

/* A signal that a thread sends to itself: its handler runs at once, on its own stack. */
static int deliver(int sig, uint64_t pc)
{
    const struct sigaction *a = &wanted[sig];
    if (a->sa_handler == SIG_IGN)
        return 0;
    if (a->sa_handler != SIG_DFL) {
        siginfo_t info = {.si_signo = sig};
        if (a->sa_flags & SA_SIGINFO)
            a->sa_sigaction(sig, &info, NULL);
        else
            a->sa_handler(sig);
        return 0;
    }
    if (sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT)
        return 0;
    struct finding *f = finding_new(FINDING_CRASH, pc, 0, "killed by its own signal %d (SIG%s)", sig,
                                    sigabbrev_np(sig) ? sigabbrev_np(sig) : "?");
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

RT_EXPORT int raise(int sig)
{
    PASSIVE(raise, sig);
    if (sig < 1 || sig > 64) {
        errno = EINVAL;
        return -1;
    }
    return deliver(sig, RT_PC());
}

RT_EXPORT int kill(pid_t pid, int sig)
{
    PASSIVE(kill, pid, sig);
    if (sig == 0)
        return 0;
    if (pid == getpid() && sig > 0 && sig <= 64)
        return deliver(sig, RT_PC());
    finding_warn(RT_PC(), "kill() of another process is not performed");
    finding_incomplete("the program sends signals to other processes");
    errno = EPERM;
    return -1;
}
