/* Signals that the program sends itself. Handlers, masks and pending signals are kept here and never
 * given to the kernel: a signal for another thread is delivered when that thread comes to its next
 * visible operation (or is woken from its wait by it), a signal to oneself at once. Sending and
 * waiting are operations on one object. */
#include "rt/posix/signals.h"

#include "rt/check/finding.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/altstack.h"
#include "rt/posix/cancel.h"

#include "rt/posix/clock.h"
#include "rt/core/interpose.h"
#include "rt/posix/signalfd.h"
#include "rt/posix/signals_queue.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct sigaction wanted[65];
static union sigval values[65];                     /* of the signals that came last */
static union sigval carried[EVENT_MAX_THREADS];     /* by the one that a thread is sending */
static bool wanted_changed, carries, noted;
static uint64_t sent[EVENT_MAX_THREADS + 1]; /* signals to a thread; the last: to the process */
static uint64_t opened[EVENT_MAX_THREADS];   /* signals that a thread did not block at some time */
static uint32_t closed_at[EVENT_MAX_THREADS]; /* its time when it changed what it blocks */
static uint32_t handled[EVENT_MAX_THREADS]; /* handlers that ran in a thread */

const struct sigaction *signals_action(int sig)
{
    return &wanted[sig];
}

void signals_reset(void)
{
    if (wanted_changed)
        rt_fill(wanted, 0, sizeof wanted);
    if (carries)
        rt_fill(carried, 0, sizeof carried);
    if (noted) {
        rt_fill(sent, 0, sizeof sent);
        rt_fill(opened, 0, sizeof opened);
        rt_fill(closed_at, 0, sizeof closed_at);
    }
    wanted_changed = carries = noted = false;
    alarm_reset();
    altstack_reset();
    queue_reset();
    signalfd_reset();
}

static bool is_ignored(int sig)
{
    sighandler_t h = wanted[sig].sa_handler;
    return h == SIG_IGN || (h == SIG_DFL && (sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH ||
                                             sig == SIGCONT));
}

bool signals_would_kill(int sig)
{
    uint64_t blocked = 0;
    TSET_FOR(t, &rt.live)
        if (rt.all[t].mask != ~0ull) /* not a timer's own; others may wait for it, though nobody handles it */
            blocked |= rt.all[t].mask;
    return wanted[sig].sa_handler == SIG_DFL && !is_ignored(sig) && !(blocked & SIGNAL_BIT(sig));
}

static void killed(int sig, uint64_t pc)
{
    struct finding *f = finding_new(FINDING_CRASH, pc, 0, "killed by its own signal %d (SIG%s)", sig,
                                    sigabbrev_np(sig) ? sigabbrev_np(sig) : "?");
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

/* Runs the handler in the running thread; does the wait it interrupts go on? */
static bool deliver(int sig, uint64_t pc)
{
    struct sigaction a = wanted[sig];
    uint64_t more = 0, before = rt.self->mask;
    if (is_ignored(sig))
        return true;
    if (a.sa_handler == SIG_DFL)
        killed(sig, pc);
    if (a.sa_flags & (int)SA_RESETHAND)
        wanted[sig].sa_handler = SIG_DFL;
    rt_copy(&more, &a.sa_mask, sizeof more);
    rt.self->mask |= more | (a.sa_flags & SA_NODEFER ? 0 : SIGNAL_BIT(sig));
    int error = errno;
    handled[rt.current]++;
    siginfo_t info = {.si_signo = sig, .si_code = SI_TKILL};
    info.si_value = values[sig];
    altstack_run(&a, sig, &info);
    errno = error;
    rt.self->mask = before;
    return a.sa_flags & SA_RESTART;
}

uint32_t signals_handled(void)
{
    return handled[rt.current];
}

/* What a thread, -1: the process, receives signals through. */
static struct sync *signals_of(int thread)
{
    return sync_get(thread < 0 ? SIGNAL_OBJECT : EVENT_CANCEL_OBJECT(thread), SYNC_OTHER);
}

static uint64_t pending_for(int thread)
{
    return signals_of(thread)->contents | signals_of(-1)->contents;
}

bool signals_pending(uint64_t among)
{
    return signals_of(-1)->contents & among;
}

static int next_pending(uint64_t among)
{
    uint64_t ready = pending_for(rt.current) & among;
    return ready ? __builtin_ctzll(ready) + 1 : 0;
}

/* The running thread receives it: op says how. */
static void take(int sig, struct event *op)
{
    struct sync *own = signals_of(rt.current);
    bool is_own = own->contents & SIGNAL_BIT(sig);
    op->value = (uint64_t)sig;
    op->other = is_own ? own->address : 0;
    object_perform(is_own ? &own->now : &signals_of(-1)->now, op);
    if (queue_keeps(sig) && queue_take(is_own ? rt.current : -1, sig, &values[sig]))
        signals_of(is_own ? rt.current : -1)->contents |= SIGNAL_BIT(sig);
    sync_acquire(signals_of(-1));
}

bool signals_attend(void)
{
    bool restart = true;
    for (int sig; (sig = next_pending(~rt.self->mask));) {
        struct event op = {.kind = EV_SIGNAL_HANDLE, .thread = (uint16_t)rt.current};
        take(sig, &op);
        signalfd_missed(sig);
        sched_log_local(op.kind, SIGNAL_OBJECT, op.value, op.other, rt.next[rt.current].pc);
        restart &= deliver(sig, rt.next[rt.current].pc);
    }
    return !restart;
}

static bool accepts(const struct thread *t, int sig)
{
    return t->state != THREAD_DONE && !(t->mask & SIGNAL_BIT(sig));
}

/* The signals come at one moment; at others their handlers could have interrupted the thread, too. */
static void some_moments_only(uint64_t come)
{
    for (; come; come &= come - 1)
        if (!is_ignored(__builtin_ctzll(come) + 1))
            finding_incomplete("a signal handler runs at the receiving thread's next operation, not at every "
                               "possible moment");
}

/* Of a thread that has ended, too: the signal could have come before. Whoever knows of the last change of
 * the thread's mask cannot send it anything that comes before that. */
static void note_sent(int thread, int sig)
{
    sent[thread < 0 ? EVENT_MAX_THREADS : thread] |= SIGNAL_BIT(sig);
    noted = true;
    for (int t = 0; t < rt.threads; t++) {
        bool knows = !opened[t] || (t < (int)rt.self->clock.n && rt.self->clock.c[t] >= closed_at[t]);
        if (t == thread || thread < 0)
            some_moments_only(SIGNAL_BIT(sig) & (~rt.all[t].mask | (knows ? 0 : opened[t])));
    }
}

void signals_pend(int thread, struct event *op)
{
    int sig = (int)op->value;
    struct sync *s = signals_of(thread);
    note_sent(thread, sig);
    op->other = thread < 0 ? 0 : s->address;
    object_perform(&s->now, op);
    if (queue_keeps(sig))
        queue_put(thread, sig, carried[rt.current]);
    else
        values[sig] = carried[rt.current];
    carried[rt.current] = (union sigval){0};
    if (thread < 0) {
        TSET_FOR(t, &rt.live)
            if (accepts(&rt.all[t], sig)) {
                thread = t;
                break;
            }
    }
    if (thread < 0 || !accepts(&rt.all[thread], sig))
        return;
    rt.all[thread].attention = true;
    block_interrupt(thread);
}

void signals_raise(int thread, int sig, uint64_t pc)
{
    if (thread < 0 && accepts(rt.self, sig))
        thread = rt.current;
    if (thread == rt.current && accepts(rt.self, sig)) {
        values[sig] = carried[rt.current];
        carried[rt.current] = (union sigval){0};
        deliver(sig, pc);
        return;
    }
    struct event *op = sched_op(EV_SIGNAL_SEND, SIGNAL_OBJECT, 8, pc);
    sched_visit();
    op->value = (uint64_t)sig;
    sync_release(signals_of(-1));
    signals_pend(thread, op);
    block_done(op);
    if (thread < 0)
        signalfd_follow(sig, pc);
    else
        signalfd_missed(sig);
}

void signals_carry(union sigval value)
{
    carried[rt.current] = value;
    carries = true;
}

void signals_notify(int thread, int sig, union sigval value, uint64_t pc)
{
    signals_carry(value);
    if (thread < rt.threads && (thread < 0 || rt.all[thread].state != THREAD_DONE))
        signals_raise(thread, sig, pc);
}

/* ---- dispositions and masks ------------------------------------------------------------------- */

static int fail(int error)
{
    errno = error;
    return -1;
}

RT_EXPORT int sigaction(int sig, const struct sigaction *action, struct sigaction *old)
{
    PASSIVE(sigaction, sig, action, old);
    if (sig < 1 || sig > 64 || sig == SIGKILL || sig == SIGSTOP)
        return fail(EINVAL);
    if (old)
        *old = wanted[sig];
    if (action) {
        capture_changes("a thread changes what signals do");
        wanted[sig] = *action;
        wanted_changed = true;
    }
    return 0;
}

RT_EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
    PASSIVE(signal, sig, handler);
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(sig, &a, &old) ? SIG_ERR : old.sa_handler;
}

/* What signal() is under _XOPEN_SOURCE: the handler is called once. */
sighandler_t __sysv_signal(int sig, sighandler_t handler);
RT_EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
    PASSIVE(__sysv_signal, sig, handler);
    struct sigaction a = {.sa_handler = handler, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)}, old;
    return sigaction(sig, &a, &old) ? SIG_ERR : old.sa_handler;
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    uint64_t *mask = &rt.self->mask, given = 0;
    if (old) {
        sigemptyset(old);
        rt_copy(old, mask, sizeof *mask);
    }
    if (!set)
        return 0;
    rt_copy(&given, set, sizeof given);
    opened[rt.current] |= ~*mask;
    if (how == SIG_BLOCK)
        *mask |= given;
    else if (how == SIG_UNBLOCK)
        *mask &= ~given;
    else if (how == SIG_SETMASK)
        *mask = given;
    else
        return EINVAL;
    closed_at[rt.current] = rt.self->clock.c[rt.current];
    noted = true;
    some_moments_only((sent[rt.current] | sent[EVENT_MAX_THREADS]) & ~*mask);
    signals_attend();
    return 0;
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
    return status ? fail(status) : 0;
}

RT_EXPORT int sigpending(sigset_t *set)
{
    PASSIVE(sigpending, set);
    struct event *op = sched_op(EV_SIGNAL_WAIT, SIGNAL_OBJECT, 8, RT_PC()); /* that takes nothing */
    op->flags |= EVENT_FAILED;
    spin_before_read(op);
    sched_visit();
    sync_acquire(signals_of(-1));
    sched_log(op);
    uint64_t pending = pending_for(rt.current) & rt.self->mask;
    sigemptyset(set);
    rt_copy(set, &pending, sizeof pending);
    return 0;
}

/* ---- sending ---------------------------------------------------------------------------------- */

RT_EXPORT int raise(int sig)
{
    PASSIVE(raise, sig);
    if (sig < 1 || sig > 64)
        return fail(EINVAL);
    signals_raise(rt.current, sig, RT_PC());
    return 0;
}

RT_EXPORT int pthread_kill(pthread_t thread, int sig)
{
    PASSIVE(pthread_kill, thread, sig);
    int id = thread_of(thread);
    if (id < 0)
        return ESRCH;
    if (sig < 0 || sig > 64)
        return EINVAL;
    if (sig && rt.all[id].state != THREAD_DONE) /* that it has ended is no error */
        signals_raise(id, sig, RT_PC());
    else if (sig)
        note_sent(id, sig);
    return 0;
}

RT_EXPORT int pthread_sigqueue(pthread_t thread, int sig, const union sigval value)
{
    PASSIVE(pthread_sigqueue, thread, sig, value);
    signals_carry(value);
    return pthread_kill(thread, sig);
}

static int send_to(pid_t pid, int sig, uint64_t pc)
{
    if (sig < 0 || sig > 64)
        return fail(EINVAL);
    if (pid == getpid() || pid == 0) {
        if (sig)
            signals_raise(-1, sig, pc);
        return 0;
    }
    finding_warn(pc, "kill() of another process is not performed");
    finding_incomplete("the program sends signals to other processes");
    return fail(EPERM);
}

RT_EXPORT int kill(pid_t pid, int sig)
{
    PASSIVE(kill, pid, sig);
    return send_to(pid, sig, RT_PC());
}

RT_EXPORT int sigqueue(pid_t pid, int sig, const union sigval value)
{
    PASSIVE(sigqueue, pid, sig, value);
    signals_carry(value);
    return send_to(pid, sig, RT_PC());
}

/* ---- waiting ---------------------------------------------------------------------------------- */

struct signal_block {
    struct blocker block;
    int thread;
    uint64_t handled; /* for handler_ran: handlers that had run before */
};

static bool signal_ready(const struct blocker *b)
{
    const struct signal_block *s = (const struct signal_block *)b;
    const struct event *op = &rt.next[s->thread];
    return object_possible(&signals_of(s->thread)->now, op) || object_possible(&signals_of(-1)->now, op);
}

int signals_wait_for(uint64_t set, siginfo_t *info, bool timed, uint64_t pc)
{
    struct signal_block b = {.block = {.ready = signal_ready, .object = SIGNAL_OBJECT,
                                       .what = "waits for a signal"},
                             .thread = rt.current};
    cancel_point(pc);
    enum block_result r = block_wait(&b.block, &(struct block_op){EV_SIGNAL_WAIT, 8, set, timed}, pc);
    if (r != BLOCK_READY)
        return fail(r == BLOCK_TIMEOUT ? EAGAIN : EINTR);
    int sig = next_pending(set);
    struct event *op = &rt.next[rt.current];
    take(sig, op);
    block_done(op);
    if (info) {
        *info = (siginfo_t){.si_signo = sig};
        info->si_value = values[sig];
    }
    signalfd_follow(sig, pc);
    return sig;
}

static int wait_for(const sigset_t *set, siginfo_t *info, bool timed, uint64_t pc)
{
    uint64_t signals;
    rt_copy(&signals, set, sizeof signals);
    return signals_wait_for(signals, info, timed, pc);
}

RT_EXPORT int sigwait(const sigset_t *restrict set, int *restrict sig)
{
    PASSIVE(sigwait, set, sig);
    int got;
    do
        got = wait_for(set, NULL, false, RT_PC());
    while (got < 0);
    *sig = got;
    return 0;
}

RT_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    PASSIVE(sigwaitinfo, set, info);
    return wait_for(set, info, false, RT_PC());
}

RT_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                           const struct timespec *restrict timeout)
{
    PASSIVE(sigtimedwait, set, info, timeout);
    return wait_for(set, info, true, RT_PC());
}

static bool handler_ran(const struct blocker *b)
{
    const struct signal_block *s = (const struct signal_block *)b;
    return handled[s->thread] != s->handled;
}

static int wait_for_handler(uint64_t pc)
{
    struct signal_block b = {.block = {.ready = handler_ran, .object = SIGNAL_OBJECT,
                                       .what = "waits for a signal handler to run"},
                             .thread = rt.current,
                             .handled = handled[rt.current]};
    cancel_point(pc);
    signals_attend();
    if (!handler_ran(&b.block) &&
        block_wait(&b.block, &(struct block_op){EV_SIGNAL_WAIT, 8, 0, false}, pc) == BLOCK_READY)
        block_done(&rt.next[rt.current]);
    return fail(EINTR);
}

RT_EXPORT int pause(void)
{
    PASSIVE(pause);
    return wait_for_handler(RT_PC());
}

RT_EXPORT int sigsuspend(const sigset_t *set)
{
    PASSIVE(sigsuspend, set);
    uint64_t before = rt.self->mask;
    rt_copy(&rt.self->mask, set, sizeof rt.self->mask);
    wait_for_handler(RT_PC());
    rt.self->mask = before;
    return fail(EINTR);
}
