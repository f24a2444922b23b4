/* Why a thread that tries a lock in a loop may wait for it.
 *
 * The round: thread t stands before a try (trylock, trywait, a timed lock) in state S (spin_state), which
 * fails; t reads nothing but its own stack, changes nothing, does nothing that others or an engine could
 * notice but give way, and stands before the same try in S again. What it does then follows from S and from
 * having failed, so this is a *fact* about S. Taken out of an execution, such a round changes nothing for
 * anybody: a try that fails leaves the lock as it is. So every state, failure and deadlock is reached by an
 * execution in which a try in S is performed only when it succeeds. That is what the operation does which
 * waits for the lock, so it is announced as that one, and every engine knows what it depends on. (How long t
 * has waited by its own clock, and what a failed sem_trywait leaves in errno, is not told apart; a round that
 * reads the time is not taken, see clock.c.)
 *
 * Facts are lessons, since the kind of an operation must not change within a search; there are not too many
 * of them, and none is learned late in a long search. Those of other rounds stand (spin.c).
 *
 * Waiting and trying differ where the thread holds the lock already, where the mutex is robust, and where a
 * signal or a request to cancel comes: the first two are left alone; until one of the others is first sent
 * in an execution the argument holds, so that is reached, and from then on nobody waits (LESSON_CAME). */
#include "rt/core/await_try.h"

#include "object/object.h"
#include "rt/core/await.h"
#include "rt/core/await_lock.h"
#include "rt/core/await_reads.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/posix/cancel.h"
#include "rt/posix/signals.h"

#define STATES 256
#define YOUNG 5000 /* executions: a longer search is not begun again for a fact */

void await_try_reset(void)
{
    const struct lessons *l = &rt.shared->lessons;
    for (uint32_t i = 0; i < l->count; i++)
        rt.tries |= l->items[i].with == LESSON_TRY;
    rt.tries &= !rt.rounds && !await_knows(0, LESSON_CAME);
}

static bool is_try(const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    bool lock = o->object == OBJECT_MUTEX || o->object == OBJECT_SEMAPHORE || o->object == OBJECT_RWLOCK;
    return lock && op->flags & EVENT_FAILED && !(o->traits & OP_BLOCKS);
}

static bool may_learn(uint64_t with)
{
    const struct lessons *l = &rt.shared->lessons;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->count; i++)
        n += l->items[i].with == with;
    return n < STATES && rt.shared->executions + rt.shared->blocked <= YOUNG;
}

static void begin_again(void)
{
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

void await_try_learn_place(const struct thread *t, const struct event *op)
{
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].object != op->object)
            return;
    if (is_try(op) && may_learn(LESSON_TRY) && !rt.rounds && !rt.atomics && !await_knows(0, LESSON_CAME))
        await_learn_places(op->pc, LESSON_TRY);
    begin_again();
}

/* The failed try was its last step, the last of all, and since then it has only given way. */
static bool comes_back(const struct lock_round *r)
{
    return r->at == ROUND_TRIED && r->step + 1 == rt.trace->step_count && !r->count && !rt.self->wrote &&
           await_lock_gave_way(r->event + 1);
}

bool await_try_waits(const struct event *op, const struct sync *s)
{
    struct lock_round *r = &rt.self->round;
    bool here = await_is_try(op->pc) && s->owner != rt.current && !s->robust && !rt.atomics;
    uint64_t state = here ? spin_state(op) : 0;
    if (state && comes_back(r) && r->state == state && r->mutex == op->object && may_learn(LESSON_FAILS)) {
        await_reads_share(rt.self);
        await_learn(state, LESSON_FAILS);
        begin_again();
    }
    r->at = ROUND_NOWHERE;
    r->state = state;
    r->mutex = op->object;
    bool waits = state && await_knows(state, LESSON_FAILS);
    if (waits)
        await_reads_wait(rt.self);
    return waits;
}

void await_try_failed(void)
{
    struct lock_round *r = &rt.self->round;
    if (!r->state)
        return;
    r->at = ROUND_TRIED;
    r->step = rt.trace->step_count - 1;
    r->event = rt.trace->event_count - 1;
    r->count = 0;
}

bool await_interruptible_slow(const struct thread *t)
{
    return t->cancel_async || !cancel_acts(t) || signals_come(t);
}

void await_try_disturbed_slow(void)
{
    await_learn(0, LESSON_CAME);
    begin_again();
}

bool await_try_stands(const struct thread *t)
{
    const struct event *op = &rt.next[t->id];
    return rt.tries && t->state == THREAD_PENDING && t->waits && await_is_try(op->pc) &&
           operation_is(op->kind, OP_BLOCKS);
}
