/* Crashes and runaway loops of the program. The handlers run on a stack of their own, write the
 * finding and leave for the search loop; the fiber is abandoned. Handlers of the program are not
 * called for these signals: a crash is a finding whatever the program meant to do (signals.c has the
 * signals that the program sends itself). */
#include "rt/check/crash.h"

#include "rt/abi/access.h"
#include "rt/abi/assembly.h"
#include "rt/abi/trap.h"
#include "rt/check/finding.h"
#include "rt/check/own.h"
#include "rt/code/live.h"
#include "rt/core/fiber.h"
#include "rt/core/interpose.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/stacks.h"
#include "rt/posix/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

static char alternate[CRASH_STACK] __attribute__((aligned(16)));

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
    case SIGABRT:
        return "abort";
    default:
        return "signal";
    }
}

static void unblock_all(void)
{
    uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
}

static bool overflows(int sig, uintptr_t address)
{
    return sig == SIGSEGV && rt.self && (address - ((uintptr_t)rt.self->stack - 4096) < 3 * 4096 ||
                                         stacks_is_closed(address));
}

static void crash_message(struct finding *f, int sig, const siginfo_t *info, uintptr_t address)
{
    if (overflows(sig, address))
        rt_format(f->message, sizeof f->message, "stack overflow (the stack has %zu KiB)",
                  (stacks_room(rt.self) + 1023) >> 10);
    else if (sig == SIGSEGV && address < 4096)
        rt_format(f->message, sizeof f->message, "segmentation fault: null pointer (address %#lx)",
                  address);
    else if (sig == SIGSEGV || sig == SIGBUS)
        rt_format(f->message, sizeof f->message, "%s at address %#lx",
                  signal_text(sig, info->si_code), address);
    else
        rt_format(f->message, sizeof f->message, "%s", signal_text(sig, info->si_code));
}

struct crash_place {
    uintptr_t any, own; /* first frame outside of the runtime; first in code built with raddle */
};

static _Unwind_Reason_Code look_for_program(struct _Unwind_Context *c, void *arg)
{
    struct crash_place *p = arg;
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
    struct crash_place p = {0};
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    if (!looking) {
        looking = true;
        rt.active = false; /* the unwinder's own locks are no operations of the program */
        fiber_lend_tls(true);
        _Unwind_Backtrace(look_for_program, &p);
    }
    fiber_lend_tls(false);
    rt.active = true;
    looking = false;
    if (p.own || p.any)
        return p.own ? p.own : p.any;
    return rt_from_program(pc) ? pc + 1 : rt.next[rt.current].pc;
}

uint64_t crash_interrupted_at(void *context)
{
    return interrupted_at(context);
}

static bool of_our_making(uintptr_t address)
{
    if (!fiber_first_tls(address))
        return restart_first_write(address);
    if (rt.redo && fiber_runs()) { /* not between two executions, of which the next is the same once more */
        looking = false;
        unblock_all();
        sched_end_execution(OUTCOME_COMPLETE);
    }
    return true;
}

struct culprit {
    uintptr_t pc;
    enum own_class class;
};

/* The innermost frame that says whose fault it is: of the runtime, or of the program's own code. */
static _Unwind_Reason_Code look_for_culprit(struct _Unwind_Context *c, void *arg)
{
    struct culprit *culprit = arg;
    int exact = 0;
    uintptr_t ip = _Unwind_GetIPInfo(c, &exact) - 1;
    ip += exact ? 1 : 0;
    if (ip + 1 <= 1)
        return _URC_END_OF_STACK;
    culprit->pc = ip;
    culprit->class = rt_from_program(ip) ? restart_is_program(ip) ? OWN_PROGRAM : OWN_ASK : own_class(ip);
    return culprit->class == OWN_ASK ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Where raddle itself made a mistake; 0 if the program did, also by handing on a bad pointer. */
static uintptr_t own_fault(const ucontext_t *c, int sig, uintptr_t address)
{
    struct culprit culprit = {.pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP]};
    if (looking || overflows(sig, address))
        return 0;
    culprit.class = rt_from_program(culprit.pc) ? OWN_ASK : own_class(culprit.pc);
    if (culprit.class == OWN_ASK) {
        bool active = rt.active;
        looking = true;
        rt.active = false;
        fiber_lend_tls(true);
        _Unwind_Backtrace(look_for_culprit, &culprit);
        fiber_lend_tls(false);
        rt.active = active;
        looking = false;
    }
    return culprit.class == OWN_RADDLE ? culprit.pc : 0;
}

/* Below what the thread asked for as its stack, where raddle itself may need some. */
static bool goes_on_below(const ucontext_t *c, uintptr_t address)
{
    const greg_t *registers = c->uc_mcontext.gregs;
    return rt.self && stacks_is_closed(address) &&
           stacks_opens(address, (uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP]);
}

/* A crash of raddle itself is no finding; outside of an execution the worker dies and the host tells. */
static void crashed(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    if ((sig == SIGSEGV || sig == SIGBUS) && access_recovers(context, (uintptr_t)info->si_addr))
        return;
    if (sig == SIGSEGV && of_our_making((uintptr_t)info->si_addr))
        return;
    if (sig == SIGSEGV && goes_on_below(c, (uintptr_t)info->si_addr))
        return;
    if (sig == SIGSEGV && info->si_code == SI_KERNEL && assembly_reads_clock(context))
        return;
    uintptr_t own = own_fault(c, sig, (uintptr_t)info->si_addr);
    if (own)
        rt_internal("%s at address %#lx in libraddle-rt.so+%#lx (or the program wrote over raddle's memory: "
                    "-fsanitize=address tells)",
                    signal_text(sig, info->si_code), (uintptr_t)info->si_addr, own_offset(own));
    if ((!rt.active && !looking) || rt.over || sig == SIGABRT) { /* abort() of libc holds a lock */
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        REAL(sigaction)(sig, &fallback, NULL);
        return;
    }
    struct finding *f = finding_new(FINDING_CRASH, interrupted_at(c), 0, "%s", "");
    crash_message(f, sig, info, (uintptr_t)info->si_addr);
    sighandler_t handler = signals_action(sig)->sa_handler;
    if (handler != SIG_DFL)
        finding_fact(f, FACT_HAS_HANDLER, rt.current, (uint64_t)handler, 0);
    unblock_all();
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

#define COMPUTES 6 /* times --hang that a thread may go on without a visible operation */

/* Does the thread at least access memory? Then it may compute: loops that change nothing are recognised
 * by themselves (spin_plain_streak). Looked at once per --hang. */
static bool computes(void)
{
    static struct {
        uint32_t generation, events, streak, times;
    } seen;
    const struct thread *t = rt.self;
    bool same = seen.generation == rt.generation && seen.events == rt.trace->event_count;
    bool goes_on = t->plain_streak && !(same && seen.streak == t->plain_streak);
    seen.times = same ? seen.times + 1 : 1;
    seen.generation = rt.generation;
    seen.events = rt.trace->event_count;
    seen.streak = t->plain_streak;
    return goes_on && seen.times < COMPUTES;
}

/* The kernel makes the only running thread wait for another, which cannot go on meanwhile. */
static void given_up_in_call(void)
{
    finding_incomplete("executions that were given up where system call %s waits", rt.in_call);
    unblock_all();
    sched_end_execution(OUTCOME_BOUND);
}

/* It would go on, but nobody waits so long for that. */
static void given_up_in_pause(void)
{
    finding_limit(LIMIT_PAUSES, rt.shared->config.hang_ms);
    unblock_all();
    sched_end_execution(OUTCOME_BOUND);
}

/* The host saw no progress for --hang: the program loops in its own code or blocks in the kernel. */
static void hangs(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    if (rt.worker_child) /* the isolated execution is meant */
        syscall(SYS_kill, rt.worker_child, sig);
    if (!rt.active || rt.over)
        return;
    if (computes()) {
        rt_pulse();
        return;
    }
    if (rt.in_call)
        given_up_in_call();
    if (live_ends(interrupted_at(c)))
        given_up_in_pause();
    struct finding *f =
        finding_new(FINDING_LIVELOCK, interrupted_at(c), 0,
                    "the program hangs: no visible operation for %u ms",
                    rt.shared->config.hang_ms);
    finding_fact(f, FACT_RUNS, rt.current, f->pc, 0);
    finding_fact(f, rt.self->plain_streak ? FACT_COMPUTED : FACT_DID_NOTHING, rt.current, f->pc, 0);
    unblock_all();
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

void crash_signal_stack(void *memory)
{
    stack_t stack = {.ss_sp = memory, .ss_size = CRASH_STACK};
    syscall(SYS_sigaltstack, &stack, NULL);
}

void crash_init(void)
{
    crash_signal_stack(alternate);
    struct sigaction a = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (unsigned i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        REAL(sigaction)(fatal[i], &a, NULL);
    a.sa_sigaction = hangs;
    a.sa_flags |= SA_RESTART; /* the program does not notice being looked at */
    REAL(sigaction)(SIGUSR2, &a, NULL);
    a = (struct sigaction){.sa_handler = SIG_IGN}; /* a broken pipe is told by EPIPE */
    REAL(sigaction)(SIGPIPE, &a, NULL);
}
