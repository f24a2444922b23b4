/* Condition variables: `holders` are the threads that wait. COND_WAIT gives back the mutex and
 * queues in one step; the waiter then performs COND_WAKE, which takes the mutex, or COND_TIMEOUT
 * (failed: without a signal, though its time is not over) and then COND_WAKE. One that was
 * signalled and is to be cancelled performs COND_CANCEL: either it goes on and takes the mutex, or
 * it is cancelled and signals another one first. Which of several waiters a signal wakes is a
 * choice: event.value - 1. Everything is dependent, except two signals that nobody heard, two
 * timeouts, a timeout and a wait; what wakes a thread orders it directly (event.match). */
#include "object/object.h"

#include "base/ensure.h"

static void wait(struct object_state *s, struct event *op)
{
    ensure(op->thread < EVENT_MAX_THREADS);
    tset_add(&s->holders, op->thread);
}

/* A robust one that is not made consistent first nobody gets again, as if it was unlocked. */
static void give_mutex(struct object_state *s, struct event *op)
{
    if (s->dead)
        s->dead = MUTEX_NOT_RECOVERABLE;
    s->owner = -1;
    s->count = 0;
}

static bool mutex_is_free(const struct object_state *s, const struct event *op)
{
    return s->owner < 0;
}

static void wake(struct object_state *s, struct event *op)
{
    if (s->dead == MUTEX_NOT_RECOVERABLE) {
        op->flags |= EVENT_FAILED;
        return;
    }
    s->owner = op->thread;
    s->count = 1;
    op->value = 1;
}

static void time_out(struct object_state *s, struct event *op)
{
    ensure(op->thread < EVENT_MAX_THREADS);
    tset_remove(&s->holders, op->thread);
}

static void signal_one(struct object_state *s, struct event *op)
{
    op->other = (uint64_t)tset_count(&s->holders);
    if (op->other == 0)
        op->value = 0;
    else if (op->value == 0 || !tset_has(&s->holders, (int)op->value - 1))
        op->value = (uint64_t)tset_first(&s->holders) + 1;
    if (op->value)
        tset_remove(&s->holders, (int)op->value - 1);
}

static void signal_all(struct object_state *s, struct event *op)
{
    op->value = op->other = (uint64_t)tset_count(&s->holders);
    s->holders = (struct tset){{0}};
}

static int heard(const struct event *e)
{
    return e->value ? ROLE_SIGNAL : ROLE_LOST;
}

/* Before the wait that it was heard by there was one waiter less. */
static int reversed_signal(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    if (past->role == ROLE_WAIT)
        return e->other == 1 ? ROLE_LOST : was;
    return ROLE_SIGNAL;
}

/* In the queue: signalled or not, asked to end or not. Asked after it was signalled, or after its time was
 * over, it may be either; before, it leaves the queue, takes the mutex and ends. */
static unsigned next_of_waiter(const struct object_wait *w, uint8_t *role)
{
    bool queued = w->before == EV_COND_WAIT, late = w->before == EV_COND_TIMEOUT;
    if (!queued && !late && w->before != EV_COND_CANCEL && w->before != EV_COND_SIGNAL) {
        *role = ROLE_ANYTHING; /* a signal handler ran in between */
        return EV_COND_WAKE;
    }
    if (queued && !w->signalled) {
        *role = ROLE_TIMEOUT;
        return w->timed || w->asked ? EV_COND_TIMEOUT : 0;
    }
    if (w->asked && (queued || (late && !w->was_asked))) {
        *role = ROLE_CANCEL_SEEN;
        return EV_COND_CANCEL;
    }
    *role = ROLE_ACQUIRE;
    return w->is_free ? EV_COND_WAKE : 0;
}

static uint8_t open_mutex(const struct object_state *s, const struct event *e)
{
    return s->owner < 0 && !s->count ? OPEN_TAKE | OPEN_SHARE : 0;
}

const struct operation op_COND_WAIT = {
    .object = OBJECT_CONDITION, .role = {ROLE_WAIT, ROLE_WAIT}, .touch = TOUCH_OTHER,
    .touch_role = ROLE_RELEASE, .traits = OP_WHOLE, .perform = wait, .other_object = OBJECT_MUTEX,
    .perform_other = give_mutex,
    .open = open_mutex, .done = "waits on {o}, gives back {m}"};
const struct operation op_COND_WAKE = {
    .object = OBJECT_MUTEX, .role = {ROLE_ACQUIRE, ROLE_ACQUIRE}, .needs = OPEN_TAKE,
    .traits = OP_BLOCKS | OP_INTERRUPTIBLE | OP_LOCKS | OP_WOKEN | OP_WHOLE,
    .overtakes = ROLE_SET(ACQUIRE) | ROLE_SET(DESTROY), .instead = EV_COND_TIMEOUT, .possible = mutex_is_free,
    .next = next_of_waiter, .perform = wake, .open = open_mutex, .done = "wakes up, takes {o} again",
    .failed = "wakes up, cannot take {o} again",
    .waits = "waits for a signal on condition variable {}"};
const struct operation op_COND_TIMEOUT = {
    .object = OBJECT_CONDITION, .role = {ROLE_TIMEOUT, ROLE_TIMEOUT},
    .traits = OP_INTERRUPTIBLE | OP_GIVES_WAY, .next = next_of_waiter,
    .perform = time_out, .open = open_mutex,
    .done = "times out on {o}", .failed = "wakes up from {o} without a signal"};
const struct operation op_COND_CANCEL = {
    .object = OBJECT_SIGNALS, .role = {ROLE_CANCEL_SEEN, ROLE_CANCEL_SEEN}, .traits = OP_WOKEN,
    .next = next_of_waiter,
    .done = "is cancelled in its wait", .failed = "goes on, though it is to be cancelled"};
const struct operation op_COND_SIGNAL = {
    .object = OBJECT_CONDITION, .role = {ROLE_SIGNAL, ROLE_LOST}, .pending = ROLE_SIGNAL,
    .traits = OP_BY_VALUE | OP_WAKES_ONE, .role_of = heard, .perform = signal_one,
    .reversed = reversed_signal, .open = open_mutex, .done = "signals {o}, wakes thread {k}",
    .failed = "signals {o}, nobody waits"};
const struct operation op_COND_BROADCAST = {
    .object = OBJECT_CONDITION, .role = {ROLE_SIGNAL, ROLE_LOST}, .pending = ROLE_SIGNAL,
    .traits = OP_BROADCASTS, .role_of = heard, .perform = signal_all, .reversed = reversed_signal,
    .open = open_mutex, .done = "broadcasts {o}"};
