/* Rounds that change a variable and put it back (await_undo.c): such a round did not happen if nobody has
 * looked at the variable meanwhile. For engines that know of it (engine.undoes). */
#ifndef RT_AWAIT_UNDO_H
#define RT_AWAIT_UNDO_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* After an execution that came to no end: were there such rounds in it? Then the search begins again, which
 * knows the places. Does it begin again, and know of some? */
bool await_undo_learn(void);
/* An operation that need not happen after what it depends on. */
void await_undo_weak(void);

void await_undo_init(void);

/* The rest only while rt.undoes, which this sets before an execution. */
void await_undo_reset(void);
/* A round begins. */
static inline void await_undo_forget(struct await *a)
{
    a->change.id = a->clean = a->stays = 0;
}
/* Before an operation at such a place: may it put back what its thread has changed? */
bool await_undo_may(const struct await *a, const struct event *op);
/* An addition whose result is not used: what it reads makes no difference. */
bool await_undo_blind(const struct thread *t, const struct event *op);
/* Does it, reading that value and writing the result (a blind one: adding it), and is the round one that is
 * left out? */
bool await_undo_gives_back(const struct await *a, uint64_t value, uint64_t result);
/* What it reads, if it reads that when all changes are put back. */
uint64_t await_undo_value(const struct await *a, uint64_t value);
/* After any visible operation of the running thread; does it concern what the thread has changed itself? */
bool await_undo_performed(struct await *a, const struct event *op);
/* … and then, if it was a change: does the round go on? */
bool await_undo_changed(struct await *a, const struct event *op);

/* Nobody can go on, but it is not known that a thread which would read that value in that state goes round:
 * if that turns out later, the search begins again. */
void await_undo_doubt(uint64_t look, uint64_t value);
bool await_undo_doubted(uint64_t look, uint64_t value);

/* Nobody can go on: would every thread that waits go round for ever? `same`: that one would, as memory is. */
bool await_undo_for_ever(bool (*same)(struct thread *t));

#pragma GCC visibility pop

#endif
