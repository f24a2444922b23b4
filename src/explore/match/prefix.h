/* The unfolding of the learnt net (model.h), as far as it is needed: a finite prefix that is
 * complete, since what follows an event that leads to a marking which a smaller one led to is left
 * out (a cut-off event; sections 7.1 and 7.4 of the thesis that model.h names, figure 7.6).
 *
 * A *slot* is what changes in time: a thread, or an object of the model. A *condition* is that a
 * slot is in a place of the net; those of one slot form a tree, each below the one it replaced. An
 * *event* is a transition of the net: it takes the condition of its thread, takes or only reads
 * those of the objects that it touches, and puts new ones. Place replication: who takes a condition
 * is known by who has read it before, and in conflict with all others who read it; so readers are
 * unordered.
 *
 * What must have happened before an event is told by its *tips*: for each slot the lowest condition
 * that was put until then, and for each pair of an object and a thread that reads it the last event
 * with which the thread read the condition that is the object's tip. */
#ifndef EXPLORE_MATCH_PREFIX_H
#define EXPLORE_MATCH_PREFIX_H

#include "base/htable.h"
#include "explore/match/walk.h"
#include "solve/cdcl.h"

struct prefix_event;

/* In the list of a condition: a thread's that stands before an operation on its slot and is
 * concurrent with it, or an event that reads it. */
struct prefix_link {
    struct prefix_link *next;
    union {
        struct prefix_condition *thread;
        struct prefix_event *event;
    };
};

struct prefix_condition {
    union {
        struct match_local *local;
        struct match_place *place;
    };
    struct prefix_condition *up, *jump; /* what it replaced; further up, for quick climbing */
    struct prefix_condition *down,
        *beside;                /* what replaced it: the first of those; the next one of its kin */
    struct prefix_event *maker; /* NULL: it is there from the start */
    struct prefix_link *stands, *readers;
    uint32_t slot, depth, number;
};

union prefix_tip {
    struct prefix_condition *condition;
    struct prefix_event *reader;
};

struct prefix_slot {
    union prefix_tip root;
    uint32_t object;  /* of a pair: the slot of the object */
    uint32_t readers; /* of an object: the first pair that it is in; of a pair: the next one */
    uint32_t model;   /* of an object: its slot in the model */
    uint16_t thread;
    enum prefix_kind { PREFIX_THREAD, PREFIX_OBJECT, PREFIX_PAIR } kind;
};

struct prefix_event {
    struct prefix_event *next; /* in the queue */
    struct prefix_condition *from;
    struct prefix_condition *begins;   /* of a thread that it creates */
    struct prefix_condition *target;   /* of a join: where the other thread has ended */
    struct prefix_condition **touched; /* [touches] of the operation */
    struct prefix_event **reads;       /* [read_count]: who has read what it takes */
    union prefix_tip
        *tips;      /* [tip_count], slots beyond: their root; before and after it is added */
    uint64_t takes; /* bit i: touched[i] is replaced */
    uint64_t move, hash[2]; /* which transition of the net; of the marking that it leads to */
    uint32_t tip_count, read_count, number;
    uint32_t size;  /* of its local configuration */
    uint32_t level; /* in the Foata normal form */
    uint16_t touches, thread, branch, branches;
    bool asks; /* what it does is not known: an execution is to show it, and then it is replaced */
    bool cut;  /* nothing follows it here */
};

/* Who waits for what in a deadlock. */
struct prefix_who {
    uint64_t object;
    uint16_t thread;
    uint8_t kind;
};

struct prefix_waits {
    struct prefix_who who[EVENT_MAX_THREADS];
    uint32_t count;
};

enum { PREFIX_WAITS = 4096, PREFIX_SHOWN = 1024 };

struct stuck;

/* Two threads that stand before accesses that race, at a condition of what they access. */
struct prefix_race {
    struct prefix_race *next;
    struct prefix_condition *thread[2], *at;
};

struct prefix {
    struct match_model *model;
    struct match_walk *walk; /* where plans are made */
    char *room;              /* [size]: all but the arrays here */
    uint64_t used, size;
    struct prefix_slot *slots; /* from 1; [slot_count] */
    uint32_t slot_count;
    uint32_t *pair_slots, pair_count; /* those of pairs */
    uint32_t thread_slot[EVENT_MAX_THREADS];
    uint32_t *object_slot; /* [slot of the model], those below object_most are used */
    uint32_t object_most;
    struct prefix_link *ended[EVENT_MAX_THREADS], *joiners[EVENT_MAX_THREADS];
    int creator[EVENT_MAX_THREADS]; /* who creates the thread, from 1 */
    struct htable pairs, known,
        reached;                  /* by object and thread; events by what they are; by marking */
    struct prefix_event **events; /* [event_count]: that were given a number, from 1 */
    uint32_t event_count, condition_count;
    uint32_t added, cut;                 /* events of the prefix; those of them that are cut off */
    struct prefix_event **first, **last; /* [size of configuration]: the queue */
    struct prefix_event *asked;          /* where in the queue it is looked at what is not known */
    uint32_t now, most;       /* the size that is looked at, the largest one in the queue */
    union prefix_tip *merged; /* of prefix_fit */
    uint64_t *order[2];       /* scratch of the order */
    uint64_t places, moves;   /* of the net, when it was complete */
    bool complete;
    struct stuck *stuck;        /* of prefix_stuck.c; NULL: nothing was asked yet */
    struct prefix_waits *shown; /* [shown_count]: deadlocks */
    uint32_t shown_count;
    struct prefix_race *races; /* that are to be executed */
    struct prefix_link *parked; /* threads of which it was not known what they do next when they came there */
    bool begun, several;       /* threads are created by several threads side by side */
    bool waits;                /* a thread can come to wait */
};

/* Slots, events and sizes that there is room for; the arrays are reserved. */
enum { PREFIX_SLOTS = 1 << 20, PREFIX_EVENTS = 1 << 26 };

int prefix_init(struct prefix *p, struct match_walk *w, uint32_t depth);
void prefix_restart(struct prefix *p);
/* As match_walk_on. */
enum walk_answer prefix_on(struct prefix *p);

/* It is complete: is there a deadlock that no execution has shown? If yes the plan leads there. */
enum answer prefix_stuck(struct prefix *p);

/* ---- of its parts
 * -------------------------------------------------------------------------------- */

/* Memory, zeroed; NULL: none is left, and the model is `full`. */
void *prefix_need(struct prefix *p, size_t size);

uint32_t prefix_thread_slot(struct prefix *p, unsigned thread);
uint32_t prefix_object_slot(struct prefix *p, uint32_t object);
/* Of an object, by its slot, and a thread that reads it. */
uint32_t prefix_pair_slot(struct prefix *p, uint32_t object, unsigned thread);

struct prefix_condition *prefix_put(struct prefix *p, uint32_t slot, struct prefix_condition *up,
                                    struct prefix_event *maker);

static inline union prefix_tip prefix_tip(const struct prefix *p, const struct prefix_event *e,
                                          uint32_t slot)
{
    return e && slot < e->tip_count ? e->tips[slot] : p->slots[slot].root;
}

/* Is a the same as b or above it in the tree of their slot? (NULL: above all.) */
bool prefix_above(const struct prefix_condition *a, const struct prefix_condition *b);

/* Can everything that these events (NULL: none) need happen together? Then merged[] are the tips.
 */
bool prefix_fit(struct prefix *p, struct prefix_event *const *events, int count);

/* The condition of the object's slot that the event touches. */
const struct prefix_condition *prefix_touched(const struct prefix_event *e, uint32_t slot);

/* The marking that the event's operation sees, as far as it matters to it. */
void prefix_see(struct prefix *p, const struct prefix_condition *thread,
                const struct prefix_condition *target, struct prefix_condition *const *touched,
                const union prefix_tip *tips, uint32_t tip_count);

/* The event's step, at the end of the plan. */
void prefix_plan_step(struct prefix *p, const struct prefix_event *e);

/* Into the queue. */
void prefix_queue(struct prefix *p, struct prefix_event *e);
/* prefix_extend.c: the conditions of an event are there; what has become possible. */
void prefix_extend_thread(struct prefix *p, struct prefix_condition *c);
void prefix_extend_object(struct prefix *p, struct prefix_condition *c);
void prefix_extend_reader(struct prefix *p, struct prefix_condition *c,
                          struct prefix_event *reader);
/* What the event asks is known: puts those in its place into the queue. */
void prefix_extend_again(struct prefix *p, const struct prefix_event *e);

/* prefix_order.c: is the first one smaller in the order of Esparza, Römer and Vogler? */
bool prefix_smaller(struct prefix *p, const struct prefix_event *a, const struct prefix_event *b);
/* The numbers of the events of the configuration with these tips into p->order[0], in order; how
 * many. */
uint32_t prefix_before(struct prefix *p, const union prefix_tip *tips, uint32_t tip_count);
void prefix_sort(uint64_t *items, uint32_t count);

#endif
