/* Rounds that did not happen. A round of a loop in which a thread only looks, and which brings it back to
 * where it began in exactly the state it had, leaves no trace: the thread waits before the look that sent
 * it back until that would read something else. For engines that know of it (engine.awaits); the others
 * let the round stand and wait after it (spin.h). */
#ifndef RT_AWAIT_H
#define RT_AWAIT_H

#include "rt/core/rt.h"

void await_init(void);
/* Before an execution. */
void await_reset(void);
void await_lessons_reset(void);
/* So many LESSON_OWN and LESSON_WROTE are known: what was found out before does not hold. */
uint32_t await_shared_words(void);

/* What earlier searches have found out (trace/shared.h): is it among that? From now on it is; if it was not,
 * the search begins again (rt.restart). */
bool await_knows(uint64_t key, uint64_t with);
void await_learn(uint64_t key, uint64_t with);
/* The same of a place, and of those that are like it (code/alike.h). */
void await_learn_places(uint64_t pc, uint64_t with);

/* Is it a place where a loop looks that was found to wait? */
bool await_is(uint64_t pc, uint64_t with);
static inline bool await_is_place(uint64_t pc)
{
    return await_is(pc, LESSON_PLACE) && !await_is(pc, LESSON_READ);
}
/* The same of one where a loop takes a mutex (await_lock.h), */
static inline bool await_is_lock(uint64_t pc)
{
    return await_is(pc, LESSON_LOCK);
}
/* … and of one where a loop tries a lock (await_try.h). */
static inline bool await_is_try(uint64_t pc)
{
    return await_is(pc, LESSON_TRY);
}
/* From now on it is; the search begins again. */
void await_learn_place(uint64_t pc);

/* t looks again at what it has looked at, having changed nothing: that may be a loop which waits, and its
 * first round is one already. Whether it is will be seen when its places are known. */
void await_learn_loop(const struct thread *t);

/* Before a look at such a place is announced; op->value and op->other are what it is called with. Does it
 * acquire what it reads? */
void await_arrive(struct event *op, bool acquires);
/* A signal or a request to cancel it at any time may take the thread out of its loop; another request is
 * found by an operation of the loop itself, or not at all. */
bool await_interruptible_slow(const struct thread *t);
static inline bool await_interruptible(const struct thread *t)
{
    return RT_UNLIKELY(t->attention | t->cancel_async) && await_interruptible_slow(t);
}
/* Is an operation that only looks (spin_only_looks) a look at a variable? */
static inline bool await_in_memory(unsigned kind, uint32_t size)
{
    return (kind == EV_LOAD || kind == EV_CAS_FAIL || kind == EV_READ || kind == EV_RMW ||
            kind == EV_STORE) &&
           size <= 8;
}
/* After any other visible operation, and after any look. */
void await_looked(struct thread *t, const struct event *op);

/* For engine.fails: known, and whatever else memory holds. */
int await_fails(uint64_t state, uint64_t value);

/* Was something found out that would have spared looks which the search has performed before? */
bool await_missed(void);
/* Are there facts about loops that were found since this was asked last? Not for ever, though. */
bool await_knows_more(void);

/* Before a decision, if something was changed: who may go on now? */
void await_reconsider(void);

/* Steps are repeated, and t, which went on here, waits by what was found out since: it goes on all the same,
 * which is needless, but what those steps lead to is what it was. False: it waits for something else. */
bool await_goes_on(int t);

/* Nobody can go on: would every thread that waits go round for ever? */
bool await_for_ever(void);
/* For a sample, which no other execution covers, or one that follows a schedule: those that would not go
 * round once more; is there one? */
bool await_let_go(void);

#endif
