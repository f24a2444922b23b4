/* What state matching knows of a program: a Petri net that is learnt from its executions (Kähkönen,
 * "Automated Systematic Testing Methods for Multithreaded Programs", section 7.2). Its places are
 *
 *   locals   local states of threads: what a thread has done and got to know. From one, its thread always
 *            does the same next: `op`.
 *   places   states of objects: of a synchronization object the state of its automaton (object/object.h);
 *            of memory who wrote it from which local state, or with --match values the value
 *
 * and a marking has one of them for every thread and every object (a slot). What an operation does to a
 * marking is predicted where that can be said without running the program (effect.c: the thesis's
 * PredictTransitions), otherwise it is a fact that an execution has shown. Every prediction is compared with
 * what executions do; where one was wrong, the thread is followed by facts alone from that local state.
 *
 * Whatever two threads share must be visible for this: engines that use it make every access a step
 * (engine_class.every_access). */
#ifndef EXPLORE_MATCH_MODEL_H
#define EXPLORE_MATCH_MODEL_H

#include "base/arena.h"
#include "explore/engine.h"
#include "explore/keyset.h"
#include "explore/parts.h"
#include "object/dependence.h"
#include "trace/tset.h"

enum {
    MATCH_TOUCHES = 64, MATCH_GUARDS = 64, MATCH_LAST = 2, MATCH_CHILDREN = 2, MATCH_FOREIGN = 1024,
    MATCH_LATE = 64,
    MATCH_NO_BRANCH = UINT16_MAX
};

/* Found by hash: the first member of what is kept in a table. (Not base/htable.h: a place moves to another
 * hash when it is learnt how its object was initialised.) */
struct match_node {
    struct match_node *chain;
    uint64_t hash;
};

struct match_table {
    struct match_node **heads;
    uint64_t mask, count;
};

struct match_place {
    struct match_node node;
    uint32_t slot, id;
    uint64_t key; /* of memory: its value, or who wrote it and, if that matters, over what */
    bool valued;  /* key is the value */
    bool freed;
    bool fresh; /* with how many tokens or arrivals it was initialised is not known: the first event tells */
    bool renewed; /* it was initialised again there */
    struct object_state state; /* of other objects; of memory there is none */
};

/* What an operation was last seen to do, so that it need not be computed again. */
struct match_last {
    struct match_local *to; /* NULL: nothing */
    struct match_place *at[MATCH_LAST], *put[MATCH_LAST]; /* [touches], [puts] */
    uint64_t value, other;
    uint8_t kind, flags, puts;
    uint16_t branch, branches;
};

struct match_local {
    struct match_node node;
    struct match_last last;
    /* With --match states: the one that its thread's own state was found to be; NULL: it is that, or it is
     * not known what its thread has of its own there. */
    struct match_local *same;
    const struct match_own *own; /* what its thread has of its own there; NULL: not known */
    struct match_local *from; /* and what its thread got to know on the way from there */
    struct match_local *child, *beside; /* the first that it is `from` of; the next with the same `from` */
    uint64_t got;
    struct event op; /* what its thread does next; kind 0: not known */
    uint32_t *slots; /* [touches]: of the objects that op touches */
    uint32_t few[MATCH_LAST]; /* where these are, if they are few */
    struct match_local *frees; /* the next one whose op frees a block, or initialises an object again */
    uint32_t id;
    uint16_t thread, touches;
    uint16_t branches; /* of a choice: of how many; 0: none */
    uint16_t children; /* in that list; more of them are in the table */
    bool ended;        /* its thread; then `wrote` is its result */
    bool stops;        /* so did the program */
    bool parked;       /* seen standing where no operation was shown */
    bool observed;     /* a prediction was wrong here: facts only */
    bool writes;       /* `wrote` is known: what op writes */
    uint64_t wrote;
    uint64_t *written; /* [touches]: the same for every slot */
    uint64_t moved;    /* in this run of model.moves: the first transition from here */
    uint32_t moved_run;
};

/* What a thread has of its own (engine.captured) where it stands, of which the model has one local state. */
struct match_own {
    struct match_node node;
    uint64_t hash;
    struct match_local *local;
    uint32_t count; /* 0: the words are not kept */
    uint64_t words[];
};

enum match_status { MATCH_UNKNOWN, MATCH_BLOCKED, MATCH_ENABLED };

/* What an execution has shown of an operation at these places: whether it could go on (branch
 * MATCH_NO_BRANCH), or what it did. */
struct match_fact {
    struct match_node node;
    const struct match_local *from;
    struct match_local *to;
    enum match_status status;
    uint16_t branch, branches, count, puts;
    struct match_place *place[]; /* [count] where it was, [puts] what it put */
};

struct match_slot {
    struct match_node node;
    uint64_t object;
    uint32_t size;
    uint8_t kind; /* enum object_kind */
    bool private_used; /* that only one thread touches it was made use of; or its guards were */
    int owner;         /* the only thread that touches it; -1 = several do */
    uint64_t guards;   /* of memory: those of model.mutexes that everybody holds who touches it */
    struct match_place *root;
};

struct match_marking {
    struct match_local *local[EVENT_MAX_THREADS]; /* NULL: there is no such thread */
    struct match_place **place;                   /* [slot] */
    int threads;
};

/* What an operation does to a marking. */
struct match_effect {
    struct match_local *to;
    struct match_place *put[MATCH_TOUCHES];
    int puts;
    int created; /* the thread that begins, or -1 … */
    struct match_local *begins;
};

struct match_model {
    struct arena *arena;
    char *piece; /* of the arena, of which there is something left */
    uint64_t left;
    uint64_t limit; /* bytes it may use */
    uint64_t elsewhere; /* bytes used of what others have reserved in the arena */
    bool values;    /* places of memory are values */
    bool states;    /* local states are what threads have of their own */
    bool exact;     /* and that is kept */
    bool stops;     /* there are local states where the program stops */
    bool full;      /* no memory left */
    bool strays;    /* a thread wrote something else than before from the same local state */
    bool begins_anew; /* a word of memory is accessed in parts: everything is to be learnt again */
    bool wrong; /* something that was believed is not so: markings are to be found again */
    uint64_t local_count;
    struct match_table places, locals, facts, slots_by_object, owns;
    uint64_t (*peek)(uint64_t address, size_t size); /* engine.peek and owner_of; of this process */
    int (*owner_of)(uint64_t address);
    struct foreign *foreign; /* [foreign_count]: engine.foreign */
    uint32_t foreign_count;
    uint64_t late[MATCH_LATE]; /* [late_count]: instructions; late.c */
    uint32_t late_count;
    struct match_slot **slots; /* [slot_room] */
    uint32_t slot_count, slot_room, ids;
    uint32_t mutexes[MATCH_GUARDS], mutex_count; /* slots */
    bool guarded; /* guards are made use of */
    struct parts parts; /* of memory: which are objects */
    struct match_local *frees;
    /* The transitions that the search has taken: how many, and their hashes but for the first one of each
     * local state. */
    struct keyset moves;
    uint64_t move_count;
    uint32_t moves_run;
    struct match_marking now, walk; /* of the execution under way; of the search in the model */
};

int match_model_init(struct match_model *m, struct arena *arena, uint64_t limit);
void match_marking_reset(struct match_model *m, struct match_marking *k);
void match_places_reset(const struct match_model *m, struct match_marking *k); /* of objects only */

/* How many local states and states of objects it has. */
uint64_t match_model_places(const struct match_model *m);

/* Memory, zeroed; NULL: none is left, and `full`. */
void *match_need(struct match_model *m, size_t size);
/* … of the arena itself, where it can be given back. */
void *match_need_apart(struct match_model *m, size_t size);

/* Of two numbers, in this order, one that is as good as random. */
static inline uint64_t match_mix(uint64_t h, uint64_t x)
{
    h = (h * 0xff51afd7ed558ccdull + 0x2545f4914f6cdd1dull) ^ x;
    h = (h ^ h >> 31) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 29) * 0xd6e8feb86659fd93ull;
    return h ^ h >> 32;
}

/* The local state that its thread comes to by getting to know `got`; NULL: no memory. */
struct match_local *match_child(struct match_model *m, struct match_local *from, unsigned thread,
                                uint64_t got);
/* The thread is there, and has this of its own: the local state that this is, which may be another one.
 * False: by the same steps the thread came to something else before, or no memory. */
bool match_is_own(struct match_model *m, struct match_local **at, const struct captured *c);

static inline struct match_local *match_same(struct match_local *l)
{
    return l && l->same ? l->same : l;
}

/* Is it known what its thread does there? */
static inline bool match_known(const struct match_local *l)
{
    return l->op.kind || l->ended || l->stops || l->parked;
}

/* Which places the operation finds there. */
static inline uint64_t match_of_places(const struct match_marking *k, const struct match_local *l, uint64_t h)
{
    for (int i = 0; i < l->touches; i++)
        h = match_mix(h, k->place[l->slots[i]]->id);
    return h;
}

/* Memory that was written by whoever `key` says, or has that value. */
struct match_place *match_memory(struct match_model *m, uint32_t slot, uint64_t key, bool valued);
struct match_place *match_state(struct match_model *m, uint32_t slot, const struct object_state *s);
/* The object was initialised like this before its first operation. */
void match_initialised(struct match_model *m, struct match_place *p, const struct object_state *s);

/* Its thread stands before op: notes that, and what it touches. False: in this local state it stood before
 * something else earlier, or no memory. */
bool match_stands(struct match_model *m, struct match_local *l, const struct event *op);

/* The thread touches slots: those that others touch too are not its own; and what it holds guards them. */
void match_note_owner(struct match_model *m, const struct match_local *l);

/* The mutexes that it holds in the execution under way. */
uint64_t match_held(const struct match_model *m, int thread);

/* With --match states: is it on the stack or in the thread-local block of another thread? Then from now on
 * that is memory like any other, and everything is to be learnt again. */
void match_note_foreign(struct match_model *m, const struct event *op);
/* Only its thread can notice, and what it finds there is part of what the thread has of its own. */
bool match_only_own(const struct match_model *m, const struct event *op);

/* The slots that an operation touches, how many; -1: too many, or no memory. */
int match_touches(struct match_model *m, const struct event *op, uint32_t *slots);

struct match_fact *match_fact(struct match_model *m, const struct match_marking *k,
                              const struct match_local *l, unsigned branch, bool make);

/* late.c: does what this instruction writes come later than it is announced? */
bool match_is_late(const struct match_model *m, uint64_t pc);

/* effect.c */
bool match_joins(unsigned kind);
enum match_status match_status(struct match_model *m, const struct match_marking *k, int thread);
/* How many ways there are to go on: at least 1. */
int match_branches(struct match_model *m, const struct match_marking *k, const struct match_local *l);
/* False: not known. */
bool match_effect(struct match_model *m, const struct match_marking *k, const struct match_local *l,
                  unsigned branch, struct match_effect *out);
/* What the event, just performed, did; branch: the value chosen in it. False: no memory, or it is nothing
 * that can be followed. */
bool match_observe(struct match_model *m, const struct event *ev, unsigned branch, unsigned branches,
                   struct match_effect *out);
/* Accesses of memory of which one is plain, one a write, and they overlap? */
bool match_racing(const struct event *a, const struct event *b);
/* moves.c: the transition of the net that this is, as a hash. */
uint64_t match_move(const struct match_marking *k, const struct match_local *l, unsigned branch);
/* The search takes it. (When a thread does what concerns it alone does not matter: that is one.) */
void match_note_move(struct match_model *m, const struct match_marking *k, struct match_local *l,
                     unsigned branch);
void match_forget_moves(struct match_model *m);
void match_apply(struct match_marking *k, const struct match_local *from, const struct match_effect *e);

/* Of no effect. (Not as a whole: most of it is not used.) */
static inline void match_clear(struct match_effect *e)
{
    e->to = e->begins = NULL;
    e->puts = 0;
    e->created = -1;
}

/* last.c: is it what the operation did last, at the same places; an execution shows just that again. */
bool match_is_last(const struct match_marking *k, const struct match_local *l, unsigned branch);
bool match_is_again(const struct match_marking *k, const struct match_local *l, const struct event *ev,
                    unsigned branch, unsigned branches);
void match_take_last(const struct match_last *last, struct match_effect *out);
void match_keep_last(struct match_local *l, struct match_place *const *at, const struct event *ev,
                     unsigned branch, unsigned branches, const struct match_effect *e);

static inline bool match_is_local(unsigned kind)
{
    return event_class(kind) == CLASS_LOCAL;
}

#endif
