/* The unfolding of a program: an acyclic net of events and conditions that represents every execution
 * so far, and those that can be put together from parts of them (Kähkönen, "Automated Systematic
 * Testing Methods for Multithreaded Programs", chapters 3 and 5).
 *
 * A *slot* is what changes in time: a thread, or an object that threads touch. A *condition* is the
 * state of a slot between two events; those of one slot form a tree, each below the one it
 * replaced. An *event* takes the condition of its thread and puts a new one. What it does to an object it
 * touches follows from its role there (object/roles.def):
 *
 *   takes    conflicts with all that changes the object: takes the condition and puts a new one
 *   marks    changes the object, but there are others that change it too and commute with it (posts, readers
 *            that come and go, arrivals): reads the condition. Who conflicts with it and comes later is
 *            known by it.
 *   looks    changes nothing: reads the condition
 *
 * An event is known by the conditions it took and read, by the marks on these that it comes after and that
 * conflict with it, and by the values chosen in it.
 *
 * What an event needs to have happened is told by its *tips*: for each slot the lowest condition
 * that was put until then. Two sets of events fit together if their tips lie on one branch in
 * every slot, of two that conflict on one condition one comes after the other, and no reader of a
 * condition must come both before and after the one who takes it.
 *
 * The older form, place replication, gives every thread a copy of each object: who only looks takes and
 * replaces its own copy, who changes the object takes them all. Here (`replicates`) it means that
 * looks count like marks. */
#ifndef EXPLORE_UNFOLD_NET_H
#define EXPLORE_UNFOLD_NET_H

#include "base/htable.h"
#include "object/object.h"
#include "trace/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NET_TOUCHES = 3, NET_ROUNDS = 4, NET_PORTS = 4 }; /* objects that an event touches; see net_want */

struct net_event;

/* What is known of a look of a loop that waits: reading one of these values it only goes round. */
struct net_rounds {
    bool some; /* it did, or would */
    uint8_t count;
    uint64_t values[NET_ROUNDS];
};

/* The ports that a selective wait can receive from; more than NET_PORTS: any. */
struct net_ports {
    uint32_t count;
    uint64_t port[NET_PORTS];
};

/* An operation that a thread stands before, known when an execution has come there. There can be two: a
 * wait with a time limit ends by a signal or by itself. */
struct net_want {
    struct net_want *next;
    uint8_t kind; /* enum event_kind */
    uint8_t touches;
    uint8_t past;              /* bit i: touched[i] must have been there, and may be gone */
    bool moved;                /* the values in `op` are those of other numbers than names (names.h) */
    bool ends;                 /* it is one of those that a wait is which can be asked to end (asked.c) */
    uint8_t role[NET_TOUCHES]; /* of those it may turn out to play the one that conflicts with most */
    uint32_t slot[NET_TOUCHES];
    struct net_rounds *rounds; /* of a look of a loop that waits */
    struct net_ports *ports;   /* of a selective wait */
    struct event op;
};

/* A thread's condition that stands before an operation on a slot, in the list of a condition of that
 * slot which it is concurrent with. */
struct net_stand {
    int32_t next; /* net_next_stand */
    uint32_t number : 8, depth : 24; /* of the thread; of its condition: most need not be looked at itself */
    struct net_condition *thread;
    const struct net_want *want;
};

/* Of a list of stands, or of conditions that were put (kin.c), by their places; 0: the end. */
struct net_kin {
    uint32_t next, item;
};
enum { NET_MANY = 96 };

/* A part of the net is at most 16 GiB away from another one: a link is how far, in units. */
enum { NET_UNIT = 8 };

static inline void *net_follow(const void *from, int32_t link)
{
    return (void *)((uintptr_t)from + (uintptr_t)((intptr_t)link * NET_UNIT));
}

static inline int32_t net_link(const void *from, const void *to)
{
    return to ? (int32_t)(((intptr_t)to - (intptr_t)from) / NET_UNIT) : 0;
}

/* Its size is what a net costs, being larger than the caches: so there are links (0: none) and no pointers,
 * and what is looked at most comes first. A condition of a thread that an event of it has put ends where it
 * says so. */
struct net_condition {
    int32_t up, jump; /* what it replaced; further up (0: itself), for quick climbing */
    int32_t maker;    /* 0: it is there from the start */
    uint32_t slot, depth;
    int32_t down, beside; /* what replaced it: the first of those; the next one of its kin */
    int32_t stands;
    uint32_t stand_count : 8, put_count : 24; /* of these, up to NET_MANY; of those (kin.c) */
    uint32_t literal; /* deadlock.c: that it is there */
    union {
        int32_t wants; /* of a thread */
        int32_t state; /* of an object without the marks; 0: not known */
    };
    uint32_t valued : 8;     /* memory: which bytes of its value are known */
    uint32_t gives_up : 1;   /* of a thread: its assumption fails there */
    uint32_t stands_sorted : 1, puts_sorted : 1; /* kin.c */
    uint32_t owns : 1;       /* of a thread: what it stands before touches nothing, as was seen */
    uint32_t exits : 1;      /* of a thread: it ends the process, as soon as nobody can go on */
    int32_t holds : 19;      /* of a thread: locks */
    int32_t looks;           /* the events that read it, marks and looks, newest first: net_next_look */
    uint32_t run;            /* scratch of fit.c, from here on valid if run is current: */
    int32_t taker;           /* … who takes it … */
    uint32_t readers;        /* … and how many must still read it */
    uint64_t value;          /* memory: the bytes of the word it lies in */
};

#define NET_LINK(name, type, field)                                                                \
    static inline type *name(const struct net_condition *c)                                        \
    {                                                                                              \
        return c->field ? net_follow(c, c->field) : NULL;                                          \
    }
NET_LINK(net_up, struct net_condition, up)
NET_LINK(net_maker, struct net_event, maker)
NET_LINK(net_down, struct net_condition, down)
NET_LINK(net_beside, struct net_condition, beside)
NET_LINK(net_stands, struct net_stand, stands)
NET_LINK(net_looks, struct net_event, looks)
NET_LINK(net_wants, struct net_want, wants)
NET_LINK(net_state, const struct object_state, state)
NET_LINK(net_taker, struct net_event, taker)

static inline const struct net_stand *net_next_stand(const struct net_stand *s)
{
    return s->next ? net_follow(s, s->next) : NULL;
}

static inline struct net_condition *net_jump(const struct net_condition *c)
{
    return net_follow(c, c->jump);
}

/* Of a condition that no event but its own thread's touches. */
#define NET_THREAD_CONDITION offsetof(struct net_condition, looks)

enum net_state {
    NET_POSSIBLE,   /* no execution has performed it yet */
    NET_PERFORMED,
    NET_IMPOSSIBLE, /* an execution came there, and it could not go on */
};

struct net_touch {
    struct net_condition *at;
    union {
        struct net_condition *put;   /* if it was taken: net_put */
        struct net_event *next_look; /* if it was read */
    };
};

struct net_event {
    struct net_condition *from, *to; /* of its thread; `to` when it was performed */
    uint64_t value;     /* event.value; of a branch on inputs its condition */
    uint32_t tips;      /* net_tips */
    uint32_t reads;     /* net_reads */
    uint32_t did;       /* net_did */
    uint32_t tip_count, number;
    uint32_t literal;   /* deadlock.c: that it happens */
    uint16_t read_count, thread;
    uint16_t branch, branches; /* value chosen, of how many; branches 0: none */
    uint8_t kind, past;
    uint8_t touches : 2, taken : 3; /* bit i: touch[i] was replaced */
    bool on_input : 1, bit : 1, open : 1; /* the choice is a branch on inputs (of a bit of a value; both
                                           * sides are possible) */
    uint8_t state : 2;  /* enum net_state */
    bool queued : 1;    /* it is among those to be tried */
    uint8_t role[NET_TOUCHES]; /* enum role; before it was performed what is foreseen */
    struct net_touch touch[NET_TOUCHES]; /* in the net [touches] */
};

/* Room for an event that touches so many. */
static inline size_t net_event_size(int touches)
{
    return offsetof(struct net_event, touch) + (size_t)touches * sizeof(struct net_touch);
}

/* What the event replaced touch[i] by; NULL: it did not. */
static inline struct net_condition *net_put(const struct net_event *e, int i)
{
    return e->taken >> i & 1 ? e->touch[i].put : NULL;
}

/* Was the condition, which an event has put, not taken back with it? */
static inline bool net_is_there(const struct net_condition *c)
{
    const struct net_event *e = net_maker(c);
    bool there = e->to == c;
    for (int i = 0; i < e->touches && !there; i++)
        there = net_put(e, i) == c;
    return there;
}

/* A row of a table of events; number 0: none. Of the near ones a line of the cache holds those of one place:
 * the number and above that a part of the hash. */
struct net_row {
    uint32_t hash, number;
};
enum { NET_NEAR = 16, NET_NUMBER_BITS = 24 };

struct net_slot {
    struct net_condition *root;
    uint64_t object; /* or the number of the thread */
    uint32_t size;
    bool thread;
};

struct net {
    struct arena *arena;
    char *base; /* of it: what tips are counted from */
    void (*will_use)(void *from, size_t size); /* of this process: engine.will_use */
    char *chunk; /* of the arena: [chunk_left] are free */
    size_t chunk_left;
    struct net_slot *slots; /* from 1; [0] is none */
    uint32_t slot_count, slot_room;
    struct htable slot_of; /* by object */
    struct htable stands_by, puts_by; /* kin.c */
    uint32_t *near; /* by the newest event that one follows: NET_NEAR rows for NET_NEAR / 2 events */
    struct net_row *rows; /* [row_mask + 1]: those for which there is no room there, by a hash of what an
                           * event takes and reads */
    uint32_t row_mask, row_count;
    uint32_t thread_slot[EVENT_MAX_THREADS];
    uint32_t *all;       /* [events + 1]: places of events, by number */
    uint32_t *performed; /* [performed_count]; in the order in which they were */
    uint32_t events, performed_count, event_room;
    uint64_t conditions;
    uint32_t runs;  /* of net_order */
    bool replicates;
    uint64_t read_in; /* the roles in which events have read conditions */
    bool looks;     /* some event only looks: orders must be looked at */
    bool marks;     /* some event marks */
    bool arrivals;  /* … that count (net_crowded) */
    bool full;      /* no memory left */
    uint32_t *roots; /* [slot_room]: the places of those of the slots */
    struct net_condition **merged; /* [slot_room]: result of net_fit */
    struct net_condition **common; /* [slot_room]: of its parts the condition that all of them need */
    struct net_condition **marking; /* [slot_room]: scratch of net_order */
    struct net_event **order; /* [order_room]: result of net_order */
    struct net_event **list;  /* [order_room]: scratch of it */
    int threads;              /* numbers in use are below */
    uint32_t order_count, order_room, left_count;
};

int net_init(struct net *n, struct arena *arena);

/* Zeroed memory for a part of the net; NULL: there is none, and the net is full. */
void *net_alloc(struct net *n, size_t size);

extern const uint64_t net_looking, net_marking; /* roles in which an object is looked at, marked */

/* Is an event in role `later` known by one in role `mark` that it comes after on the same condition? Who goes
 * on after a barrier, which is no role there, by the arrivals that are all alike. */
static inline bool net_counts(const struct net *n, int mark, int later)
{
    return (role_in(role_conflicts[later], mark) && (n->replicates || role_in(net_marking, mark))) ||
           (mark == ROLE_MEET && later == ROLE_NONE);
}

/* … by any that there is? */
static inline bool net_any_counts(const struct net *n, int later)
{
    uint64_t by = role_conflicts[later] & (n->replicates ? ~0ull : net_marking);
    return n->read_in & (later == ROLE_NONE ? by | ROLE_SET(MEET) : by);
}

/* The slot of a thread or of an object, made when it is first asked for; 0: no memory. */
uint32_t net_thread_slot(struct net *n, unsigned thread);
uint32_t net_object_slot(struct net *n, uint64_t object, uint32_t size);
bool net_has_object(const struct net *n, uint64_t object, uint32_t size);

/* A part of the net in half the room of a pointer, and back. */
static inline void *net_at(const struct net *n, uint32_t place)
{
    return n->base + (size_t)place * NET_UNIT;
}

static inline uint32_t net_place_of(const struct net *n, const void *c)
{
    return (uint32_t)((size_t)((const char *)c - n->base) / NET_UNIT);
}

static inline struct net_event *net_numbered(const struct net *n, uint32_t number)
{
    return net_at(n, n->all[number]);
}

static inline struct net_event *net_performed(const struct net *n, uint32_t i)
{
    return net_at(n, n->performed[i]);
}

static inline uint32_t *net_tips(const struct net *n, const struct net_event *e) /* [tip_count]: net_tip */
{
    return net_at(n, e->tips);
}

/* [read_count]: the marks it comes after: of each thread the last, by number. */
static inline struct net_event **net_reads(const struct net *n, const struct net_event *e)
{
    return net_at(n, e->reads);
}

/* Of a mark of what is not memory, when it was performed; otherwise NULL. */
static inline const struct event *net_did(const struct net *n, const struct net_event *e)
{
    return e->did ? net_at(n, e->did) : NULL;
}

/* The place of the condition of a slot where everything up to what the event has put has happened, and
 * nothing else; NULL: at the start. */
static inline uint32_t net_tip_place(const struct net *n, const struct net_event *e, uint32_t slot)
{
    return e && slot < e->tip_count ? net_tips(n, e)[slot] : n->roots[slot];
}

/* The same for who looks at many slots. */
struct net_known {
    const uint32_t *tips;
    uint32_t count;
};

static inline struct net_known net_known(const struct net *n, const struct net_event *e)
{
    return e ? (struct net_known){net_tips(n, e), e->tip_count} : (struct net_known){n->roots, n->slot_count};
}

static inline uint32_t net_known_place(const struct net *n, const struct net_known *k, uint32_t slot)
{
    return slot < k->count ? k->tips[slot] : n->roots[slot];
}

/* The condition of a slot where everything up to c has happened, and nothing else. */
static inline struct net_condition *net_tip(const struct net *n, const struct net_condition *c,
                                            uint32_t slot)
{
    return net_at(n, net_tip_place(n, net_maker(c), slot));
}

/* Arrivals at a barrier do not conflict, but the last one opens it: are there, with e in place i, as many on
 * the condition as that takes, `readers` being counted? */
static inline bool net_arrives(int role)
{
    return role_in(ROLE_SET(ARRIVE) | ROLE_SET(LAST_BUT_ONE), role);
}

static inline bool net_crowded(const struct net_event *e, int i)
{
    const struct net_condition *c = e->touch[i].at;
    return net_arrives(e->role[i]) && net_state(c) &&
           c->readers >= net_state(c)->limit;
}

/* Which of the things it touches is c. */
static inline int net_place(const struct net_event *e, const struct net_condition *c)
{
    int i = 0;
    while (e->touch[i].at != c)
        i++;
    return i;
}

/* The event that read c before this one did. */
static inline struct net_event *net_next_look(const struct net_event *e, const struct net_condition *c)
{
    return e->touch[net_place(e, c)].next_look;
}

/* Is a the same as b or above it in the tree of their slot? */
bool net_far_above(const struct net_condition *a, const struct net_condition *b);

static inline bool net_above(const struct net_condition *a, const struct net_condition *b)
{
    return a->depth < b->depth ? net_up(b) == a || net_far_above(a, b) : a == b;
}

/* Of two conditions of a slot the lower one; NULL: they do not lie on one branch. */
static inline struct net_condition *net_lower(struct net_condition *a, struct net_condition *b)
{
    bool swap = a->depth > b->depth;
    struct net_condition *high = swap ? b : a, *low = swap ? a : b;
    return low == high || net_up(low) == high || net_far_above(high, low) ? low : NULL;
}

/* The condition that has replaced a on the way to b, which is below it. */
const struct net_condition *net_toward(const struct net_condition *a, const struct net_condition *b);

/* Does e happen in the state with these conditions; is it among what f needs? */
static inline bool net_happens(const struct net_event *e, struct net_condition *const *state)
{
    return net_above(e->to, state[e->to->slot]);
}

static inline bool net_before(const struct net *n, const struct net_event *e, const struct net_event *f)
{
    return net_above(e->to, net_tip(n, f->to, e->to->slot));
}

/* The conditions that it touches; NULL beyond. */
static inline void net_touched(const struct net_event *e, struct net_condition *touched[NET_TOUCHES])
{
    for (int i = 0; i < NET_TOUCHES; i++)
        touched[i] = i < e->touches ? e->touch[i].at : NULL;
}

/* What an operation needs, for net_fit: the condition of its thread, then those of touched[] that are
 * `chosen` and must hold (*holding with the thread's), then those that must have held (`past`). */
int net_parts(struct net_condition **parts, struct net_condition *thread,
              struct net_condition *const *touched, unsigned chosen, unsigned past, int *holding);

/* Sets merged[] to the lowest conditions that they need and common[] to the highest; false: some do not lie
 * on one branch. */
bool net_merge(struct net *n, struct net_condition *const *parts, int count);

/* Sets merged[] alone, of conditions that one execution has come by. */
void net_join(struct net *n, struct net_condition *const *parts, int count);

/* Is there a state in which the first `holding` of these conditions hold, and all of them have held? Then
 * merged[] is the smallest one: the condition of every slot. */
bool net_fit(struct net *n, struct net_condition *const *parts, int holding, int count);

/* Sets e->reads from a list of the events that it is known by; room, in the arena, for one of each thread. */
void net_set_reads(const struct net *n, struct net_event *e, struct net_event **room,
                   struct net_event *const *looks, uint32_t count);

/* An order in which the events up to the state merged[] can happen (figure 5.7), from the start or
 * from the state now[slot] (unless NULL; merged[] is behind it): order[]. False: there is none,
 * because of who reads what; then those that are left over are list[0 .. left_count). */
bool net_order(struct net *n, struct net_condition *const *now);

/* The event that takes and reads these conditions with this choice; made if there is none and `make`. */
struct net_event *net_event(struct net *n, const struct net_event *like, bool make);

/* It was performed: puts its conditions. takes[i]: is touched[i] replaced? */
int net_perform(struct net *n, struct net_event *e, const bool *takes);

/* It was performed last and was none: its thread only went round a loop. */
void net_take_back(struct net *n, struct net_event *e);

/* kin.c. A thread stands before an operation on c, with which it is concurrent; `put` has replaced
 * another one. */
int net_kin_init(struct net *n);
void net_stand(struct net *n, struct net_condition *c, struct net_condition *thread,
               const struct net_want *want);
void net_kin_put(struct net *n, struct net_condition *put);

/* If there are at least NET_MANY of these: who stands before c at or below a condition of a thread; what
 * replaced c knowing of a thread just up to there (something that was taken back may be among the latter). */
const struct net_kin *net_stands_by(struct net *n, struct net_condition *c,
                                    const struct net_condition *thread);
const struct net_kin *net_puts_by(struct net *n, struct net_condition *c,
                                  const struct net_condition *thread);

static inline const struct net_kin *net_next_kin(const struct net *n, const struct net_kin *k)
{
    return k->next ? net_at(n, k->next) : NULL;
}

#endif
