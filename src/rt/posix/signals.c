/* Signals that the program sends itself. Handlers, masks and pending signals are kept here and never
 * given to the kernel: a signal for another thread is delivered when that thread comes to its next
 * visible operation (or is woken from its wait by it), a signal to oneself at once. Sending and
 * waiting are operations on one object. */
#include "rt/posix/signals.h"

#include "rt/check/finding.h"
#include "rt/core/await_try.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/altstack.h"
#include "rt/posix/cancel.h"
#include "rt/posix/file_steps.h"

#include "rt/posix/clock.h"
#include "rt/core/interpose.h"
#include "rt/posix/signalfd.h"
#include "rt/posix/signals_queue.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define NEVER_BLOCKED (SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP))

static struct sigaction wanted[65];
static struct signal_note notes[65];                 /* of the signals that came last */
static struct signal_note carried[EVENT_MAX_THREADS]; /* by the one that a thread is sending */
static bool wanted_changed, carries, noted;
static uint64_t sent[EVENT_MAX_THREADS + 1]; /* signals to a thread; the last: to the process */
static uint64_t opened[EVENT_MAX_THREADS];   /* signals that a thread did not block at some time */
static uint32_t closed_at[EVENT_MAX_THREADS]; /* its time when it changed what it blocks */
/* Handlers that ran in a thread; those of them that a timer sent. */
static uint32_t handled[EVENT_MAX_THREADS], rung[EVENT_MAX_THREADS];

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

/* The process stops, and somebody else lets it go on: of which it notices nothing. */
static bool stops(int sig)
{
    if (sig != SIGSTOP && sig != SIGTSTP && sig != SIGTTIN && sig != SIGTTOU)
        return false;
    finding_warn(0, "the program stops itself (SIG%s): taken to be continued", sigabbrev_np(sig));
    return true;
}

static bool is_ignored(int sig)
{
    sighandler_t h = wanted[sig].sa_handler;
    return h == SIG_IGN || (h == SIG_DFL && (sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH ||
                                             sig == SIGCONT || stops(sig)));
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

static bool by_timer(int sig)
{
    return notes[sig].code == SI_TIMER || notes[sig].code == SI_KERNEL;
}

static siginfo_t info_of(int sig)
{
    siginfo_t info = {.si_signo = sig, .si_code = notes[sig].code};
    if (!by_timer(sig)) {
        info.si_pid = getpid();
        info.si_uid = getuid();
    }
    info.si_value = notes[sig].value;
    return info;
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
    rung[rt.current] += by_timer(sig);
    siginfo_t info = info_of(sig);
    altstack_run(&a, sig, &info, before);
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

/* It is not pending for the thread (-1: the process) any more: op says how. */
static void take_from(int thread, int sig, struct event *op)
{
    struct sync *s = signals_of(thread);
    op->value = (uint64_t)sig;
    op->other = thread < 0 ? 0 : s->address;
    object_perform(&s->now, op);
    if (queue_keeps(sig) && queue_take(thread, sig, &notes[sig]))
        s->contents |= SIGNAL_BIT(sig);
    sync_acquire(signals_of(-1));
}

/* The running thread receives it. */
static void take(int sig, struct event *op)
{
    bool is_own = signals_of(rt.current)->contents & SIGNAL_BIT(sig);
    take_from(is_own ? rt.current : -1, sig, op);
}

/* What signals do belongs to the process: setting it, and looking, are steps once there are several threads.
 * (A handler that another thread's signal starts runs at one moment only; that is said.) */
static struct event *action_step(bool looks, uint64_t pc)
{
    return thread_alone() ? NULL : table_step(ACTIONS_OBJECT, "what signals do", looks, pc);
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

bool signals_come(const struct thread *t)
{
    return pending_for(t->id) & ~t->mask;
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
    if (thread == rt.current) /* it comes when the thread itself lets it */
        return;
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
    await_try_disturbed();
    note_sent(thread, sig);
    op->other = thread < 0 ? 0 : s->address;
    object_perform(&s->now, op);
    if (queue_keeps(sig))
        queue_put(thread, sig, carried[rt.current]);
    else
        notes[sig] = carried[rt.current];
    carried[rt.current] = (struct signal_note){0};
    if (thread < 0)
        TSET_FOR(t, &rt.live)
            if (accepts(&rt.all[t], sig)) {
                thread = t;
                break;
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
        notes[sig] = carried[rt.current];
        carried[rt.current] = (struct signal_note){0};
        table_done(action_step(true, pc), false);
        deliver(sig, pc);
        signals_attend(); /* those that the handler kept back */
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

void signals_carry(int code, union sigval value)
{
    carried[rt.current] = (struct signal_note){code, value};
    carries = true;
}

void signals_notify(int thread, int sig, struct signal_note note, uint64_t pc)
{
    signals_carry(note.code, note.value);
    if (thread < rt.threads && (thread < 0 || rt.all[thread].state != THREAD_DONE))
        signals_raise(thread, sig, pc);
}

/* ---- dispositions and masks ------------------------------------------------------------------- */

static int fail(int error)
{
    errno = error;
    return -1;
}

/* A signal that is ignored from now on is not pending any more (POSIX, 2.4.3). */
static void discard(int sig, uint64_t pc)
{
    for (int t = -1; t < rt.threads; t++) {
        while (signals_of(t)->contents & SIGNAL_BIT(sig)) {
            struct event *op = sched_op(EV_SIGNAL_WAIT, SIGNAL_OBJECT, 8, pc);
            sched_visit();
            take_from(t, sig, op);
            block_done(op);
            signalfd_follow(sig, pc);
        }
    }
}

RT_EXPORT int sigaction(int sig, const struct sigaction *action, struct sigaction *old)
{
    PASSIVE(sigaction, sig, action, old);
    if (sig < 1 || sig > 64 || (action && (sig == SIGKILL || sig == SIGSTOP)))
        return fail(EINVAL);
    strings_read(action, action ? sizeof *action : 0, RT_PC());
    strings_write(old, old ? sizeof *old : 0, RT_PC());
    struct event *op = action_step(!action, RT_PC());
    struct sigaction before = wanted[sig];
    if (action) {
        capture_changes("a thread changes what signals do");
        wanted[sig] = *action;
        wanted_changed = true;
    }
    table_done(op, action != NULL);
    if (action && is_ignored(sig))
        discard(sig, RT_PC());
    if (old)
        *old = before;
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

void signals_set_mask(uint64_t mask)
{
    opened[rt.current] |= ~rt.self->mask;
    mask = rt.self->mask = mask & ~NEVER_BLOCKED;
    closed_at[rt.current] = rt.self->clock.c[rt.current];
    noted = true;
    some_moments_only((sent[rt.current] | sent[EVENT_MAX_THREADS]) & ~mask);
    signals_attend();
}

static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc)
{
    uint64_t mask = rt.self->mask, given = 0;
    strings_read(set, set ? sizeof *set : 0, pc);
    strings_write(old, old ? sizeof *old : 0, pc);
    if (old)
        sigemptyset(old), rt_copy(old, &mask, sizeof mask);
    if (!set)
        return 0;
    rt_copy(&given, set, sizeof given);
    if (how == SIG_BLOCK)
        given |= mask;
    else if (how == SIG_UNBLOCK)
        given = mask & ~given;
    else if (how != SIG_SETMASK)
        return EINVAL;
    return signals_set_mask(given), 0;
}

RT_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    PASSIVE(pthread_sigmask, how, set, old);
    return change_mask(how, set, old, RT_PC());
}

RT_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    PASSIVE(sigprocmask, how, set, old);
    int status = change_mask(how, set, old, RT_PC());
    return status ? fail(status) : 0;
}

/* What was sent before has come, what is sent later has not. */
static void look(uint64_t pc)
{
    struct event *op = sched_op(EV_SIGNAL_WAIT, SIGNAL_OBJECT, 8, pc); /* that takes nothing */
    op->flags |= EVENT_FAILED;
    spin_before_read(op);
    sched_visit();
    sync_acquire(signals_of(-1));
    sched_log(op);
}

RT_EXPORT int sigpending(sigset_t *set)
{
    PASSIVE(sigpending, set);
    strings_write(set, sizeof *set, RT_PC());
    look(RT_PC());
    uint64_t pending = pending_for(rt.current) & rt.self->mask;
    sigemptyset(set);
    rt_copy(set, &pending, sizeof pending);
    return 0;
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
    struct block_op wait = {EV_SIGNAL_WAIT, 8, set, .timed = timed};
    enum block_result r = block_wait(&b.block, &wait, pc);
    if (r != BLOCK_READY)
        return fail(r == BLOCK_TIMEOUT ? EAGAIN : EINTR);
    int sig = next_pending(set);
    struct event *op = &rt.next[rt.current];
    take(sig, op);
    block_done(op);
    if (info)
        *info = info_of(sig);
    signalfd_follow(sig, pc);
    return sig;
}

static bool handler_ran(const struct blocker *b)
{
    const struct signal_block *s = (const struct signal_block *)b;
    return handled[s->thread] != s->handled;
}

/* looked: whatever came before has run. */
static int wait_for_handler(bool looked, uint64_t pc)
{
    struct signal_block b = {.block = {.ready = handler_ran, .object = SIGNAL_OBJECT,
                                       .what = "waits for a signal handler to run"},
                             .thread = rt.current,
                             .handled = handled[rt.current]};
    cancel_point(pc);
    signals_attend();
    if (!handler_ran(&b.block) &&
        block_wait(&b.block, &(struct block_op){EV_SIGNAL_WAIT, 8, .waits = looked}, pc) == BLOCK_READY)
        block_done(&rt.next[rt.current]);
    return fail(EINTR);
}

/* A handler that runs just before is none that ends it (a timer is never that early). */
RT_EXPORT int pause(void)
{
    PASSIVE(pause);
    uint32_t before = rung[rt.current];
    bool looks = !thread_alone();
    if (looks)
        look(RT_PC());
    signals_attend();
    return rung[rt.current] != before ? fail(EINTR) : wait_for_handler(looks, RT_PC());
}

RT_EXPORT int sigsuspend(const sigset_t *set)
{
    PASSIVE(sigsuspend, set);
    uint64_t before = rt.self->mask;
    rt_copy(&rt.self->mask, set, sizeof rt.self->mask);
    wait_for_handler(false, RT_PC());
    rt.self->mask = before;
    signals_attend();
    return fail(EINTR);
}
