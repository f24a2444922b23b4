/* Futexes. A wait is two steps: FUTEX_WAIT compares and queues, FUTEX_RESUME follows once a wake has
 * picked the thread; which of several waiters a wake picks is a choice. Both concern the word itself, as a
 * write to it does. Who waits is in the state of the object (object/futex.c), which lies beside the word:
 * that is memory. */
#include "rt/abi/futex.h"

#include "rt/abi/access.h"
#include "rt/check/heap.h"
#include "rt/core/block.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"

#include <errno.h>
#include <linux/futex.h>

static struct waiter {
    uint32_t bits;
    struct blocker *block; /* what it waits in */
} waiters[EVENT_MAX_THREADS];

static long fail(int error)
{
    errno = error;
    return -1;
}

static struct sync *queue_of(uint64_t address)
{
    return sync_get(address ^ 1ull << 63, SYNC_OTHER);
}

/* A thread is not in the queue any more; in another one, if there is one. */
static void move(int thread, uint64_t from, uint64_t to, uint64_t pc)
{
    struct event op = {.kind = EV_FUTEX_MOVE, .value = (uint64_t)thread + 1};
    object_perform(&queue_of(from)->now, &op);
    if (to)
        operation_of(op.kind)->perform_other(&queue_of(to)->now, &op);
    sched_log_local(op.kind, from, op.value, to, pc);
}

static long wait(uint32_t *word, uint32_t value, bool timed, uint32_t bits, uint64_t pc)
{
    uint64_t address = (uint64_t)word;
    struct event *op = sched_op(EV_FUTEX_WAIT, address, 4, pc);
    op->other = value;
    spin_before_read(op); /* one that finds another value only looks */
    sched_visit();
    heap_check(address, 4, false, pc);
    struct sync *s = queue_of(address);
    s->contents = *(volatile uint32_t *)word;
    object_perform(&s->now, op);
    bool queued = !(op->flags & EVENT_FAILED);
    struct blocker b = {.state = &s->now, .object = address, .what = "waits on futex {}"};
    waiters[rt.current] = (struct waiter){bits, &b};
    sched_log(op);
    if (!queued)
        return fail(EAGAIN);
    enum block_result r = block_wait(&b, &(struct block_op){EV_FUTEX_RESUME, 4, .timed = timed}, pc);
    if (r == BLOCK_READY) {
        sync_acquire(queue_of(b.object));
        sched_log(&rt.next[rt.current]);
        return 0;
    }
    if (tset_has(&queue_of(b.object)->holders, rt.current))
        move(rt.current, b.object, 0, pc);
    return fail(r == BLOCK_TIMEOUT ? ETIMEDOUT : EINTR);
}

static struct tset waiting_on(uint64_t address, uint32_t bits)
{
    struct tset s = {{0}};
    TSET_FOR(t, &queue_of(address)->holders)
        if (waiters[t].bits & bits && tset_has(&rt.live, t))
            tset_add(&s, t);
    return s;
}

/* The threads that a wake of so many picks. */
static struct tset pick(const struct event *op, struct tset among, uint64_t count)
{
    struct tset woken = {{0}};
    for (int n; (n = tset_count(&among)) > 0 && count > 0; count--) {
        int t = tset_nth(&among, count < (uint64_t)n ? sched_branch(op, n) : 0);
        tset_remove(&among, t);
        tset_add(&woken, t);
    }
    return woken;
}

/* Performs the wake; of what the event does not say itself a MOVE follows for each. */
static long wake_some(struct event *op, uint64_t address, uint64_t count, uint32_t bits)
{
    struct sync *s = queue_of(address);
    struct tset woken = pick(op, waiting_on(address, bits), count);
    int n = tset_count(&woken);
    sync_release(s);
    op->other = n == 1 ? (uint64_t)tset_first(&woken) + 1 : FUTEX_SOME;
    if (n == tset_count(&s->holders))
        op->other = 0;
    op->value = (uint64_t)n;
    object_perform(&s->now, op);
    sched_log(op);
    if (op->other == FUTEX_SOME)
        TSET_FOR(t, &woken)
            move(t, address, 0, op->pc);
    return n;
}

static long wake(uint64_t address, uint64_t count, uint32_t bits, uint64_t pc)
{
    struct event *op = sched_op(EV_FUTEX_WAKE, address, 4, pc);
    sched_visit();
    long woken = wake_some(op, address, count, bits);
    block_recheck();
    return woken;
}

/* Of two words that lie so near that one event can touch both: it is on all between them. */
static long requeue(const long a[6], bool compare, uint64_t pc)
{
    uint64_t from = (uint64_t)a[0], to = (uint64_t)a[4];
    uint64_t low = from < to ? from : to, span = (from < to ? to : from) - low + 4;
    if (span > UINT32_MAX)
        return FUTEX_UNKNOWN;
    struct event *op = sched_op(EV_FUTEX_WAKE, low, (uint32_t)span, pc);
    sched_visit();
    if (compare && *(volatile uint32_t *)from != (uint32_t)a[5]) {
        op->other = FUTEX_SOME;
        sched_log(op);
        return fail(EAGAIN);
    }
    struct tset woken = pick(op, waiting_on(from, FUTEX_BITSET_MATCH_ANY), (uint64_t)a[2]);
    long moved = 0;
    sync_release(queue_of(from));
    op->value = (uint64_t)tset_count(&woken);
    op->other = FUTEX_SOME;
    sched_log(op);
    TSET_FOR(t, &woken)
        move(t, from, 0, pc);
    struct tset rest = waiting_on(from, FUTEX_BITSET_MATCH_ANY);
    TSET_FOR(t, &rest)
        if (moved < a[3]) {
            move(t, from, to, pc);
            waiters[t].block->object = to;
            waiters[t].block->state = &queue_of(to)->now;
            rt.next[t].object = to;
            moved++;
        }
    block_recheck();
    return (long)op->value + moved;
}

static uint32_t changed(uint32_t old, uint32_t code)
{
    uint32_t by = (uint32_t)((int32_t)(code << 8) >> 20); /* twelve bits with a sign */
    if (code & (uint32_t)FUTEX_OP_OPARG_SHIFT << 28)
        by = 1u << (by & 31);
    switch (code >> 28 & 7) {
    case FUTEX_OP_SET: return by;
    case FUTEX_OP_ADD: return old + by;
    case FUTEX_OP_OR: return old | by;
    case FUTEX_OP_ANDN: return old & ~by;
    default: return old ^ by;
    }
}

static bool compares(uint32_t old, uint32_t code)
{
    int32_t a = (int32_t)old, b = (int32_t)(code << 20) >> 20;
    switch (code >> 24 & 15) {
    case FUTEX_OP_CMP_EQ: return a == b;
    case FUTEX_OP_CMP_NE: return a != b;
    case FUTEX_OP_CMP_LT: return a < b;
    case FUTEX_OP_CMP_LE: return a <= b;
    case FUTEX_OP_CMP_GT: return a > b;
    default: return a >= b;
    }
}

/* FUTEX_WAKE_OP: the change of the second word and the two wakes, as steps. Between them another
 * thread may begin to wait and be woken at once, which looks like a wake-up for no reason: those
 * are allowed. */
static long wake_op(const long a[6], uint64_t pc)
{
    uint32_t *second = (uint32_t *)a[4], code = (uint32_t)a[5];
    struct event *op = atomic_before(EV_RMW, (uint64_t)second, 4, pc);
    uint32_t old = *second;
    op->other = old;
    op->value = *second = changed(old, code);
    atomic_after(op);
    long woken = wake((uint64_t)a[0], (uint32_t)a[2], FUTEX_BITSET_MATCH_ANY, pc);
    if (compares(old, code))
        woken += wake((uint64_t)second, (uint32_t)a[3], FUTEX_BITSET_MATCH_ANY, pc);
    return woken;
}

/* A wait that has timed out lets its time pass: FUTEX_WAIT has a duration, FUTEX_WAIT_BITSET a moment. */
static long after_timeout(const long a[6], long result)
{
    const struct timespec *limit = (const struct timespec *)a[3];
    if (result == 0 || errno != ETIMEDOUT)
        return result;
    if ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT)
        clock_pass(limit);
    else
        clock_reach(a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
    errno = ETIMEDOUT;
    return result;
}

/* Words that do not lie as words do, no bits to wait for, a limit that is no time. */
static bool is_wrong(const long a[6])
{
    int what = a[1] & FUTEX_CMD_MASK;
    const struct timespec *limit = (const struct timespec *)a[3];
    bool two = what == FUTEX_REQUEUE || what == FUTEX_CMP_REQUEUE || what == FUTEX_WAKE_OP;
    bool waits = what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET;
    bool bits = what == FUTEX_WAIT_BITSET || what == FUTEX_WAKE_BITSET;
    return a[0] & 3 || (two && a[4] & 3) || (bits && !(uint32_t)a[5]) ||
           (waits && limit && (limit->tv_sec < 0 || !clock_valid(limit)));
}

long futex_call(const long a[6], uint64_t pc)
{
    if (is_wrong(a))
        return fail(EINVAL);
    switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return after_timeout(
            a, wait((uint32_t *)a[0], (uint32_t)a[2], a[3] != 0, FUTEX_BITSET_MATCH_ANY, pc));
    case FUTEX_WAIT_BITSET:
        return after_timeout(a, wait((uint32_t *)a[0], (uint32_t)a[2], a[3] != 0, (uint32_t)a[5], pc));
    case FUTEX_WAKE:
        return wake((uint64_t)a[0], (uint32_t)a[2], FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
        return wake((uint64_t)a[0], (uint32_t)a[2], (uint32_t)a[5], pc);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return requeue(a, (a[1] & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE, pc);
    case FUTEX_WAKE_OP:
        return wake_op(a, pc);
    default:
        return FUTEX_UNKNOWN;
    }
}
