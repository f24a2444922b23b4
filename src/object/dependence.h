/* The one dependence relation of all engines. An event touches one object or two, each in a
 * *role*; two events of different threads are dependent if they touch the same object in roles
 * that conflict (object/roles.def):
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
 *   places       of a bounded port: the first takers fill it in any order, later ones come after all before
 *                them; giving back is dependent with nothing (a later taker follows the one it needed)
 *   queue        everything, except two attempts that fail or only look
 *   barrier      arrivals are independent, except of the one that opens it; and of that too if nobody looks
 *                who it was (MEET)
 *   await        everything that changes one of the objects a waiting loop looks at
 *   cancellation a request is dependent with the operations of its thread that it can interrupt, and
 *                with the ends of threads (one may be joined)
 *
 * An operation that can be blocked is dependent with whatever can unblock it. Creation, joining,
 * the signal that wakes a waiter, the receipt of a synchronous message and the opening of a
 * barrier order events directly (explore/dpor/happens.c); a choice is an event of its thread
 * alone. */
#ifndef OBJECT_DEPENDENCE_H
#define OBJECT_DEPENDENCE_H

#include "object/object.h"

/* What dependence needs to know of an event. */
struct act {
    uint64_t object;
    uint64_t object2; /* the other object it touches, 0 = none; of an AWAIT the set of them */
    uint32_t size;    /* memory only */
    uint8_t thread;
    uint8_t role, role2; /* enum role; role2 is NONE if there is no other object */
    uint8_t kind;        /* enum event_kind */
};
_Static_assert(EVENT_MAX_THREADS <= 256, "threads fit into a byte of an act");

/* Of a performed event. Waits on semaphores are TAKE here; who counts posts may change that to
 * RESERVED (object_refined_role). */
struct act act_of(const struct event *e);

/* Of an operation not yet performed: of the roles it may turn out to play the one that conflicts
 * with most. */
struct act act_of_pending(const struct event *e);

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
static inline __attribute__((always_inline)) bool act_wakes(const struct act *pending,
                                                            const struct act *done)
{
    return act_both_memory(pending, done) ? act_overlap(pending, done)
                                          : act_wakes_slow(pending, done);
}

#endif
