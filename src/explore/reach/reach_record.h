/* Turns the events of an execution into the operations of a SYN-sequence. Threads and objects get
 * numbers that mean the same in every execution: a thread is its creator's k-th child, an object its
 * address. The recorder's memory is one execution's; the numbers are kept for the whole search. */
#ifndef EXPLORE_REACH_RECORD_H
#define EXPLORE_REACH_RECORD_H

#include "base/arena.h"
#include "base/htable.h"
#include "explore/reach/reach_seq.h"
#include "trace/event.h"
#include "trace/shared.h"

enum { REACH_NAMES = 1 << 16 };

/* A port that was declared to be uniform. It is none if somebody waits for his message to be received: who
 * goes on depends on which message it was. */
enum { REACH_DECLARED = 1, REACH_NOT_ALIKE = 2 };

struct reach_thread {
    uint32_t count;    /* operations so far */
    uint16_t runtime;  /* its number in the runtime */
    uint16_t children;
    uint32_t born;     /* operations of its creator before it was created */
    uint32_t ports, port_count; /* alternatives named since the last operation */
    uint32_t last_send;
    uint64_t lock;     /* key of the lock it took last and still holds, 0 = none */
    uint32_t held;     /* depth of the lock given back by a condition wait */
    uint64_t waits_on; /* condition, 0 = none */
    uint32_t barrier;  /* object + 1, 0 = none */
    bool timed;        /* that wait can time out */
    uint16_t symmetry; /* class, 0 = none */
    uint64_t function; /* what it runs */
};

/* A name: things that the program makes one object have different keys and the same number. */
struct reach_object {
    uint64_t key;
    uint32_t number;
    uint32_t own; /* its place in names[] */
    bool guess;   /* a condition that nobody has waited on yet: the number is that of a likely mutex */
};

/* Per object, of the execution under way if `run` says so: [number] the last operation on it, the rest is of
 * its parts, [own]. */
struct reach_object_last {
    uint32_t run, last;
};

struct reach_object_state {
    uint32_t run;
    uint32_t held, readers;
    uint32_t tokens; /* 1 + initial value of a semaphore, 0: unknown … */
    int64_t value;   /* … and its value now */
    bool counted;    /* it was used */
    uint16_t holder; /* thread + 1, while held */
};

struct reach_child {
    uint16_t parent, nth, number;
    uint64_t path; /* a name for it that every worker gives it */
};

struct reach_record {
    uint32_t run;
    uint32_t room; /* of the arrays */
    struct reach_op *ops;
    struct reach_edge *edges;
    uint32_t *ports;
    uint32_t count, edge_count, port_count;
    uint32_t threads; /* numbers given out so far, in any execution */
    uint32_t objects, keys; /* numbers given out so far, and to how many keys */
    struct reach_thread thread[EVENT_MAX_THREADS];
    uint16_t number[EVENT_MAX_THREADS]; /* of a thread of the runtime */
    struct reach_child children[EVENT_MAX_THREADS];
    struct reach_object *names;
    struct htable name_of; /* by key */
    struct reach_object_state *state;
    struct reach_object_last *last;
    uint8_t *uniform; /* [object]: REACH_DECLARED and REACH_NOT_ALIKE */
    const char *symmetric; /* addresses of functions whose threads are interchangeable; or NULL */
    struct lessons *lessons; /* may be NULL */
    bool ordered;     /* reads of a variable are completions on it like all else (--set history=on) */
    bool exchanges_write; /* compare-exchanges are too, even if they fail */
    bool shared;      /* others work on the same search */
    bool rebound;     /* a condition turned out to belong to a mutex after it had been used */
    bool overlooked;  /* a loop waits for something that is not known */
    bool full; /* something did not fit into memory */
    struct limits *limits; /* for what else there is no room; may be NULL */
};

int reach_record_init(struct reach_record *r, struct arena *a, uint32_t room);
void reach_record_begin(struct reach_record *r);

/* A visible operation becomes the last of r->ops and is returned; NULL for anything else. */
struct reach_op *reach_record_event(struct reach_record *r, const struct event *ev,
                                    uint32_t trace_index);
/* The choice made within (or, for LOCAL kinds, before) the operation `op`. */
struct reach_op *reach_record_branch(struct reach_record *r, int thread, uint32_t value,
                                     uint32_t choices);
/* The branch, just recorded, was made within ev: whoever was chosen knows of the choice. */
void reach_record_chosen(struct reach_record *r, struct reach_op *branch, const struct event *ev);
/* The call of an operation that was not performed before the execution ended. */
struct reach_op *reach_record_pending(struct reach_record *r, const struct event *next);

/* Is it a compare-exchange that can fail, and then is a read? */
static inline bool reach_is_exchange(const struct reach_record *r, const struct event *ev)
{
    bool compares = ev->kind == EV_CAS || ev->kind == EV_CAS_FAIL ||
                    (ev->kind == EV_RMW && ev->flags & EVENT_COMPARE);
    return compares && ev->size > 0 && ev->size <= 8 && !r->ordered && !r->exchanges_write;
}

/* Does an operation of this kind receive a version, or could it? */
static inline bool reach_is_read(const struct reach_record *r, uint8_t kind)
{
    if (kind == EV_CAS || kind == EV_CAS_FAIL)
        return !r->ordered && !r->exchanges_write;
    return (kind == EV_LOAD || kind == EV_READ || kind == EV_AWAIT) && !r->ordered;
}

/* The version of the object that a read would get now. */
uint32_t reach_version_now(struct reach_record *r, uint32_t object);

/* The object an operation is on. */
struct reach_object reach_object_of(struct reach_record *r, const struct event *op);

#endif
