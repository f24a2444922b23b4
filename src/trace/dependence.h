/* The one dependence relation of all engines. An event concerns one object (two for a condition
 * wait) and plays a *role* on it; two events of different threads are dependent if they concern the
 * same object in roles that the table in dependence.c declares dependent:
 *
 *   memory       overlapping bytes, unless both only read; a failed compare-exchange reads
 *   mutex        everything, except two failed attempts
 *   rwlock       readers' operations are independent of each other; so are two failed attempts
 *   semaphore    posts are independent of each other; a wait served from the initial tokens (RESERVED)
 *                is independent of posts; two pure reads are independent
 *   condition    everything, except two signals nobody heard, two timeouts, a timeout and a wait
 *   monitor      entries; who enters determines what happens inside
 *   ports        a send and a receive of one port, in programs with a selective wait that looks at
 *                several ports (event.size is set) of any ports; sends are independent of each other,
 *                and so are receives (each port has one receiver)
 *   queue        everything, except two attempts that fail or only look
 *   barrier      arrivals are independent, except of the one that opens it
 *   await        everything that changes one of the objects a waiting loop looks at
 *   cancellation a request is dependent with the operations of its thread that it can interrupt, and
 *                with the ends of threads (one may be joined)
 *
 * An operation that can be blocked is dependent with whatever can unblock it.
 * Creation, joining, the signal that wakes a waiter, the receipt of a synchronous message and the
 * opening of a barrier order events directly (explore/happens.c); a choice is an event of its
 * thread alone. */
#ifndef TRACE_DEPENDENCE_H
#define TRACE_DEPENDENCE_H

#include "trace/event.h"

#include <stdbool.h>

enum role {
    ROLE_READ, /* memory roles come first: see act_dependent */
    ROLE_WRITE,
    ROLE_NONE,
    ROLE_ACQUIRE,
    ROLE_RELEASE,
    ROLE_LOCK_FAIL,
    ROLE_READER_IN,
    ROLE_READER_OUT,
    ROLE_READER_FAIL,
    ROLE_WRITER_IN,
    ROLE_WRITER_OUT,
    ROLE_WRITER_FAIL,
    ROLE_POST,
    ROLE_RESERVED, /* took a token that no post was needed for */
    ROLE_TAKE,
    ROLE_SEM_READ, /* failed attempt, or sem_getvalue */
    ROLE_WAIT,
    ROLE_SIGNAL,
    ROLE_LOST, /* a signal nobody heard */
    ROLE_TIMEOUT,
    ROLE_ARRIVE,
    ROLE_LAST_BUT_ONE, /* arrival after which only one is missing */
    ROLE_OPEN,
    ROLE_SEND,
    ROLE_RECEIVE,
    ROLE_PUT, /* a message into a queue */
    ROLE_GET,
    ROLE_QUEUE_SET,
    ROLE_QUEUE_LOOK, /* or an attempt that failed */
    ROLE_AWAIT, /* from here on the rare ones */
    ROLE_CANCEL,
    ROLE_CANCEL_SEEN,
    ROLES
};

/* What dependence needs to know of an event. */
struct act {
    uint64_t object;
    uint64_t object2; /* the mutex of a condition wait (role RELEASE); what a request to cancel
                       * writes and what can be cancelled reads; the set of an AWAIT; 0 = none */
    uint32_t size;    /* memory only */
    uint16_t thread;
    uint8_t role; /* enum role */
    uint8_t kind; /* enum event_kind */
};

/* Of a performed event. Waits on semaphores are TAKE here; who counts posts may change that to
 * RESERVED. */
struct act act_of(const struct event *e);

/* Of an operation not yet performed: of the roles it may turn out to play the one that conflicts
 * with most. */
struct act act_of_pending(const struct event *e);

/* The roles that `role` is dependent with, as a set of bits. */
extern const uint32_t role_conflicts[ROLES];

/* Is an operation of this kind on a message queue possible just before the event e, which has the role? */
bool act_queue_lets(unsigned kind, int role, const struct event *e);

bool act_dependent_slow(const struct act *a, const struct act *b);
bool act_wakes_slow(const struct act *pending, const struct act *done);

static inline bool act_both_memory(const struct act *a, const struct act *b)
{
    return (a->role | b->role) <= ROLE_WRITE;
}

static inline bool act_overlap(const struct act *a, const struct act *b)
{
    return (a->role | b->role) && a->object < b->object + b->size &&
           b->object < a->object + a->size;
}

/* Two performed events of different threads. */
static inline bool act_dependent(const struct act *a, const struct act *b)
{
    return act_both_memory(a, b) ? act_overlap(a, b) : act_dependent_slow(a, b);
}

/* Does performing `done` matter to `pending`, which another thread could have performed instead:
 * they are dependent, or pending would now play another role (it would open the barrier). */
static inline bool act_wakes(const struct act *pending, const struct act *done)
{
    return act_both_memory(pending, done) ? act_overlap(pending, done)
                                          : act_wakes_slow(pending, done);
}

#endif
