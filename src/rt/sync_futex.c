/* The futex system call, as used through syscall(2): by the C++ library (atomic wait and notify,
 * semaphores, latches, barriers, futures) and by programs that build their own locks.
 *
 * FUTEX_WAIT compares and queues in one step: as an event it is a read of the word, so it is ordered
 * with every write to it, and FUTEX_WAKE counts as a write. A woken thread goes on without a decision
 * to its next visible operation (FUTEX_LEAVE, a local event, tells engines who woke it). Which of
 * several waiters are woken is a choice. Whether a wait with a time limit ends by the limit is a choice
 * too, taken when it would block: it may end at once. To end later makes no difference that other
 * threads could notice, so an execution in which the limit is all that is left to wait for is given up:
 * it is among those of the other choice. */
#include "rt/access.h"
#include "rt/clock.h"
#include "rt/interpose.h"
#include "rt/spin.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* The queue's key: no object of another kind begins at an odd address. */
static struct sync *queue_of(uintptr_t word)
{
    return sync_get(word | 1, SYNC_FUTEX);
}

static long fail(int code)
{
    errno = code;
    return -1;
}

static void leave(struct sync *q, uint64_t word, uint64_t pc)
{
    struct thread *t = rt.self;
    sched_log_matched(EV_FUTEX_LEAVE, word, t->wake_event, pc);
    sync_acquire(q);
}

/* FUTEX_WAIT has a duration, FUTEX_WAIT_BITSET a moment. */
static void let_time_pass(int op, const struct timespec *limit)
{
    bool wall = op & FUTEX_CLOCK_REALTIME;
    if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT)
        clock_pass(limit);
    else
        clock_reach(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
}

static long futex_wait(uintptr_t word, int kind, uint32_t expected, const struct timespec *limit,
                       uint64_t pc)
{
    bool timed = limit != NULL;
    struct event *op = sched_op(EV_FUTEX_WAIT, word, 4, pc);
    op->flags = timed ? EVENT_TIMED : 0;
    if (timed)
        spin_before_read(op, access_value(word, 4));
    sched_visit();
    heap_check(word, 4, false, pc);
    struct sync *q = queue_of(word);
    op->value = access_value(word, 4);
    op->other = expected;
    bool equal = op->value == expected;
    bool gives_up = equal && timed && sched_branch(op, 2);
    if (!equal || gives_up)
        op->flags |= EVENT_FAILED;
    sched_log(op);
    if (!equal)
        return fail(EAGAIN);
    if (gives_up) {
        let_time_pass(kind, limit);
        sched_yielded();
        return fail(ETIMEDOUT);
    }
    tset_add(&q->holders, rt.current);
    rt.self->waits = q;
    rt.self->timed = timed;
    sched_wait_local(THREAD_PARKED);
    rt.self->waits = NULL;
    rt.self->timed = false;
    leave(q, word, pc);
    return 0;
}

static long futex_wake(uintptr_t word, int most, uint64_t pc)
{
    struct event *op = sched_op(EV_FUTEX_WAKE, word, 4, pc);
    sched_visit();
    struct sync *q = queue_of(word);
    struct tset woken = {{0}};
    int n = tset_count(&q->holders), count = n < most ? n : most;
    for (int i = 0; i < count; i++, n--) {
        int t = tset_nth(&q->holders, count - i == n ? 0 : sched_branch(op, n));
        tset_remove(&q->holders, t);
        tset_add(&woken, t);
    }
    op->value = (uint64_t)count;
    sync_release(q);
    sched_log(op);
    TSET_FOR(t, &woken) {
        rt.all[t].wake_event = rt.trace->event_count;
        sched_run_local(t);
    }
    return count;
}

static long futex(uintptr_t word, int op, uint32_t value, const struct timespec *limit, uint64_t pc)
{
    if (word & 3)
        return fail(EINVAL);
    switch (op & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, op, value, limit, pc);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return futex_wake(word, value > INT_MAX ? INT_MAX : (int)value, pc);
    default:
        finding_warn(pc, "futex operation %d is not supported: it fails with ENOSYS", op & 127);
        finding_incomplete("the program uses futex operation %d", op & 127);
        return fail(ENOSYS);
    }
}

static long raw(long number, const long a[6])
{
    long result;
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result > -4096 && result < 0 ? fail((int)-result) : result;
}

long syscall(long number, ...);
RT_EXPORT long syscall(long number, ...)
{
    long a[6];
    va_list ap;
    va_start(ap, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    uintptr_t pc = RT_PC();
    if (RT_LIKELY(number != SYS_futex) || !rt.active || !rt_from_program(pc))
        return raw(number, a);
    return futex((uintptr_t)a[0], (int)a[1], (uint32_t)a[2], (const struct timespec *)a[3],
                 rt_caller(pc));
}
