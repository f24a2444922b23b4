/* A SYN-sequence as reachability testing sees it (000_*.txt, sections III and IV): the operations of
 * one execution in the order they were performed, each with its sending event (the call, or the send)
 * and its receiving event (the completion, the entry, the receive), and their timestamps.
 *
 * Five classes of operations fit every construct:
 *   OBJECT   semaphores, locks, monitors, writes of variables: the call is the sending event; the
 *            completion is the receiving event and has a position in the total order of the object. A
 *            write also makes a version of the variable, a sending event for those who read it.
 *   READ     of a variable: the thread receives a version. Nobody learns of it, so nothing but what the
 *            thread does next can depend on it; that the write which ends the version comes later is
 *            seen to when a variant is put in order (reach_derive.c). A compare-exchange is both: an
 *            OBJECT that succeeds and a READ that fails, of which one at most is done
 *            (reach_exchange.c).
 *   SEND     a message; its receiving event is an operation of the receiving thread.
 *   RECEIVE  a receive or selective wait; `partner` is the send it received from.
 *   BRANCH   any other choice (which waiter is woken, raddle_choose): as if one of n constant messages
 *            was received. If it was made within an operation on an object (kind ≠ 0), everything that
 *            happens on the object afterwards may depend on it.
 *
 * All arrays belong to whoever built the sequence. */
#ifndef EXPLORE_REACH_SEQ_H
#define EXPLORE_REACH_SEQ_H

#include "base/vclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reach_class { REACH_OBJECT, REACH_SEND, REACH_RECEIVE, REACH_BRANCH, REACH_READ };

enum {
    REACH_DONE = 1,      /* completed; otherwise only the call was made */
    REACH_OLD_CALL = 2,  /* the sending event was in the variant that this execution followed */
    REACH_OLD = 4,       /* the receiving event was */
    REACH_BLACK = 8,     /* its partner must not be changed any more */
    REACH_UNMATCHED = 16, /* a receiving event of the variant that was never matched; has no call */
    REACH_MAY_ELSE = 32, /* RECEIVE: else or timeout is open too */
    REACH_SYNCHRONOUS = 64, /* SEND: the sender waits until it is received */
    REACH_OLD_VERSION = 128, /* OBJECT: what it wrote was in the variant */
};

#define REACH_ELSE UINT32_MAX       /* as a partner: the else alternative or the timeout */
#define REACH_NONE (UINT32_MAX - 1) /* as a partner: not received; as an index: nowhere */
#define REACH_INITIAL 0x7fffffffu    /* as a version: the variable was not written yet */

/* What an operation has to do with others on its object: all are in a total order, unless a reduction
 * knows better (reach_reduced.c). */
enum reach_part {
    REACH_HEAVY,    /* ordered with all */
    REACH_LIGHT,    /* read or post: not ordered among each other */
    REACH_RESERVED, /* a wait that the initial tokens were enough for: not ordered with posts either */
};

/* How messages of one port may overtake each other. */
enum reach_order { REACH_FIFO, REACH_CAUSAL, REACH_ANY };

/* Where the other half of a compare-exchange is. */
enum reach_twin { REACH_SINGLE, REACH_TWIN_NEXT, REACH_TWIN_BEFORE };

struct reach_op {
    uint16_t thread;
    uint16_t class;
    uint8_t kind;    /* enum event_kind */
    uint8_t flags;
    uint8_t part;    /* OBJECT: enum reach_part */
    uint8_t open;    /* OBJECT: REACH_TAKE …: the OpenList, what could have completed here; BRANCH with a
                        condition: the other side goes with what it depends on */
    uint8_t order;   /* SEND: enum reach_order */
    bool cancellable; /* OBJECT: a request to cancel its thread can end it */
    uint8_t twin;    /* enum reach_twin */
    bool known;      /* of what is written `was` and `is` are known */
    bool bit;        /* BRANCH: on a bit of an input's value that is made concrete */
    uint16_t holder; /* OBJECT: thread + 1 of who held the lock before it, to whom it may be open again
                        (recursive and error-checking mutexes); 0: nobody */
    uint32_t index;  /* in its thread, from 0 */
    uint32_t object; /* dense number of the object or port */
    uint32_t component; /* OBJECT: the part of it whose state `open` tells: one of several mutexes that a
                           condition was waited on with, … */
    uint32_t prev;   /* OBJECT: the operation before it on the object; SEND: the send before it of
                        the same thread to the same port; REACH_NONE: there is none */
    uint32_t partner;  /* RECEIVE: the send; BRANCH: the value; SEND: the receive; OBJECT, not done
                          because something took its place: that operation; READ: the write of the
                          version, or REACH_INITIAL; not done: of the last one */
    uint32_t maker;    /* OBJECT: of a place in a port that was given back, the SEND of that + 1, else 0 */
    uint32_t choices;  /* BRANCH: number of values; RECEIVE: number of open ports; OBJECT: of a
                          semaphore, 1 + its initial tokens if they are known */
    uint32_t ports;    /* RECEIVE: first of the open ports in reach_seq.ports */
    uint32_t condition; /* BRANCH on an input: the expression that its value is; 0: it is none. Not done: its
                           thread was not let do it with this value */
    uint32_t event;    /* index in the trace */
    uint32_t site;     /* names the place in the code, for symmetry */
    uint32_t size;     /* OBJECT: bytes written, 0 if it is no write of memory … */
    uint64_t address;  /* … and where */
    uint64_t was, is;  /* OBJECT: contents before and after it; of a compare-exchange that was not
                          done, `was` is what it expects */
    uint32_t race;     /* first of the race set in reach_seq.races … */
    uint32_t race_count; /* … and its size */
};

/* Happened-before without an operation, taking effect before operation `at`. */
struct reach_edge {
    uint32_t at;
    uint16_t thread;
    uint16_t kind;   /* enum reach_edge_kind */
    uint32_t other;  /* the other thread, or the object */
};

enum reach_edge_kind {
    REACH_FROM_THREAD, /* the thread learns what the other one knows */
    REACH_FROM_OBJECT, /* the thread learns what the object knows */
    REACH_TO_OBJECT,   /* the other way round */
};

struct reach_seq {
    struct reach_op *ops;
    uint32_t count; /* in their order; calls that were never completed where they ended */
    struct reach_edge *edges;
    uint32_t edge_count;
    uint32_t *ports;
    uint32_t port_count;
    uint32_t *races;
    uint32_t threads, objects;
    uint32_t stride;  /* of a timestamp, ≥ threads, a multiple of 8 */
    bool reads;       /* there are READ operations */
    bool exchanges;   /* … and compare-exchanges */
    bool parts;       /* not all operations are heavy */
    const uint8_t *uniform; /* [port]: its asynchronous messages are all the same; NULL: no port's are */
    vtime *calls;  /* [op][stride]: timestamp of the sending event */
    vtime *before; /* [op][stride]: what the receiver knew before the receiving event */
};

static inline uint32_t reach_stride(uint32_t threads)
{
    return (threads + vrow_STEP - 1) / vrow_STEP * vrow_STEP;
}

static inline const vtime *reach_call(const struct reach_seq *q, uint32_t op)
{
    return q->calls + (uint64_t)op * q->stride;
}

static inline const vtime *reach_before(const struct reach_seq *q, uint32_t op)
{
    return q->before + (uint64_t)op * q->stride;
}

/* Did it receive one of several messages that are all the same? */
static inline bool reach_any_message(const struct reach_seq *q, const struct reach_op *op,
                                     uint32_t partner)
{
    return q->uniform && op->class == REACH_RECEIVE && partner < q->count &&
           q->uniform[q->ops[partner].object] == 1;
}

/* Is the operation, of its thread the index-th from 0 on, known to who has the clock? */
static inline bool reach_knows(const vtime *clock, const struct reach_op *op)
{
    return (uint32_t)clock[op->thread] > op->index;
}

/* Is receiving event r in the control structure of the sending event of op (definition 3)? */
static inline bool reach_controls_call(const struct reach_seq *q, const struct reach_op *r,
                                       uint32_t op)
{
    if (q->ops[op].thread == r->thread)
        return q->ops[op].index > r->index;
    return reach_knows(reach_call(q, op), r);
}

/* … of the receiving event of op? */
static inline bool reach_controls(const struct reach_seq *q, const struct reach_op *r, uint32_t op)
{
    return reach_knows(reach_before(q, op), r);
}

/* Does receiving event r happen before the version that op wrote (or is r its write)? */
static inline bool reach_controls_version(const struct reach_seq *q, const struct reach_op *r,
                                          uint32_t op)
{
    return op != REACH_INITIAL &&
           (reach_knows(reach_before(q, op), r) || reach_knows(reach_call(q, op), r));
}

/* The version before the one that op wrote. */
static inline uint32_t reach_version_before(const struct reach_seq *q, uint32_t op)
{
    return q->ops[op].prev == REACH_NONE ? REACH_INITIAL : q->ops[op].prev;
}

/* The other half of a compare-exchange; REACH_NONE: it is none. */
static inline uint32_t reach_twin(const struct reach_seq *q, uint32_t k)
{
    uint8_t twin = q->ops[k].twin;
    return twin == REACH_TWIN_NEXT ? k + 1 : twin == REACH_TWIN_BEFORE ? k - 1 : REACH_NONE;
}

/* Of a compare-exchange: would it have found what it expects in this version of the variable? */
bool reach_succeeds(const struct reach_seq *q, uint32_t k, uint32_t version);

/* Its half that is done, REACH_NONE: none is. */
uint32_t reach_exchanged(const struct reach_seq *q, uint32_t k);

/* A call of operation s was used where another one was: what s was done as does not happen then. That is the
 * failing half of a compare-exchange that could write there; REACH_NONE: nothing. */
uint32_t reach_undone(const struct reach_seq *q, uint32_t s);

/* Is version a (or what was there in the beginning) older than version b? */
static inline bool reach_older(uint32_t a, uint32_t b)
{
    return b != REACH_INITIAL && (a == REACH_INITIAL || a < b);
}

/* Timestamps of all events (section IV). `clocks` has room for (threads + objects) × stride, if
 * there are parts (threads + 3 × objects) × stride. */
void reach_timestamps(struct reach_seq *q, vtime *clocks);

/* Races that the paper does not explore (section VII, VIII), since what is left out was equivalent to
 * something that is explored as long as … (see reach_reduced.c on why that is not always so) */
struct reach_reductions {
    bool pv;       /* … only the value of a counting semaphore matters, not who raised it when */
    bool symmetry; /* … threads of one class are interchangeable */
    bool messages; /* … only the number of messages received from a port marked as uniform matters */
    const uint16_t *class_of; /* [thread]: symmetry class, 0 = none */
    const uint8_t *uniform;   /* [port] */
};

/* Proposition 2 for every completed receiving event; the race sets are put one after the other into
 * q->races, at most `room` entries. Returns the number of entries, or REACH_NONE if there is no room.
 * Old sending events are left out of old receiving events' sets (figure 10, lines 1 and 2), and black
 * events have none. `last` has room for one entry per object. */
uint32_t reach_race_sets(struct reach_seq *q, const struct reach_reductions *less, uint32_t room,
                         uint32_t *last);

#endif
