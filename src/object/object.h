/* One description of every operation. An object is a small automaton: its state (struct
 * object_state) has a fixed size, and for each of its operations a row (struct operation) says
 * what it touches and in which role, when it can go on in a state, what it does to the state,
 * what the operation can be moved before, how it ends without having got what it wanted, and its
 * words. The rows of an object and their steps are in the object's file; who wants to know
 * something about an operation asks here and does not look at its kind.
 *
 * The table of roles is roles.def; what follows from it for two operations is in dependence.h. */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include "trace/event.h"
#include "trace/tset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
#define ROLE(name, stops, counts, conflicts) ROLE_##name,
#include "object/roles.def"
#undef ROLE
    ROLES
};

#define ROLE_SET(name) (1ull << ROLE_##name)
extern const uint64_t role_conflicts[ROLES]; /* the roles that a role is dependent with */

/* Those that order everything on the object. */
static const uint64_t role_stops = 0
#define ROLE(name, stops, counts, conflicts) | (stops ? ROLE_SET(name) : 0)
#include "object/roles.def"
#undef ROLE
    ;

static inline bool role_in(uint64_t set, int role)
{
    return set >> role & 1;
}

enum object_kind {
    OBJECT_NONE, /* the operation concerns its thread alone */
    OBJECT_MEMORY,
    OBJECT_MUTEX, /* also spinlocks, pthread_once controls, guards of static variables */
    OBJECT_CONDITION,
    OBJECT_SEMAPHORE,
    OBJECT_RWLOCK,
    OBJECT_BARRIER,
    OBJECT_PORT,
    OBJECT_MONITOR,
    OBJECT_DESCRIPTOR,
    OBJECT_QUEUE,
    OBJECT_FUTEX,
    OBJECT_SIGNALS, /* what a thread receives signals and requests to cancel it through */
    OBJECT_THREAD,
    OBJECT_KINDS
};

/* The state of an object of any kind; the object's file says what it uses. All of it 0 but the owner is
 * the state of an object that was never used.
 *   owner      the thread that holds it, -1 = nobody
 *   count      mutex: depth; readers; tokens; arrivals; messages; bytes under way; 1: to be cancelled
 *   limit      barrier: threads; queue: how many fit; rwlock: writers that wait; descriptor: bytes under
 *              way in the other direction
 *   posts      semaphore: how often it was posted; queue: sends since it was empty; not part of what is
 *              compared
 *   kind       mutex: enum mutex_kind; descriptor: 1 = only the kernel knows its state
 *   dead       robust mutex: enum mutex_dead
 *   destroyed  or closed, or ended
 *   holders    readers of a rwlock; who waits on a condition, at a barrier, on a futex
 *   contents   value of memory; pending signals; the sum of object_message() of the messages there; read
 *              locks that a thread holds more than once
 * What does not fit is not in it: the bytes of messages and pipes are the runtime's and the kernel's; the
 * state holds their number and says which messages there are.
 * A macro, so that the runtime's objects have them as their own. */
#define OBJECT_STATE                                                                               \
    int32_t owner;                                                                                 \
    int32_t count;                                                                                 \
    uint32_t limit;                                                                                \
    uint32_t posts;                                                                                \
    uint8_t kind;                                                                                  \
    uint8_t dead;                                                                                  \
    bool destroyed;                                                                                \
    struct tset holders;                                                                           \
    uint64_t contents;

struct object_state {
    OBJECT_STATE
};

#define OBJECT_UNUSED ((struct object_state){.owner = -1})

enum mutex_kind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum { FUTEX_SOME = EVENT_MAX_THREADS + 1 }; /* see futex.c */
/* Of an unlock, event.size: a pthread_once or a static variable is initialised for good; the owner of a
 * robust mutex has ended. */
enum { UNLOCK_DONE = 1, UNLOCK_ENDED };
enum mutex_dead { MUTEX_OWNER_DIED = 1, MUTEX_NOT_RECOVERABLE };

/* What else than its object an operation touches. What can be cancelled (EVENT_CANCELLABLE) and
 * touches nothing else touches what its thread is cancelled through (EVENT_CANCEL_OBJECT) in the
 * role CANCEL_SEEN. */
enum touch {
    TOUCH_NOTHING,
    TOUCH_OTHER, /* the object whose address is event.other */
    TOUCH_ENDS,  /* that threads end */
    TOUCH_SET,   /* event.other is a set of objects (event_object_bit) */
};

/* What an event that is performed without a decision comes after, in another thread. */
enum follows {
    FOLLOWS_NOTHING,
    FOLLOWS_ITSELF, /* nothing, but it takes a moment of its own: other values were possible */
    FOLLOWS_THREAD, /* the last event of thread number event.object */
    FOLLOWS_OBJECT, /* the last on its object that changes it for everybody */
    FOLLOWS_MEETING, /* the last event.value arrivals at its object */
    FOLLOWS_GIVER,  /* the last that gave its object to somebody, or took it */
    GIVES_OBJECT,   /* nothing; who takes its object later comes after all that its thread has done */
};

enum operation_traits {
    OP_BLOCKS = 1,         /* it is announced and goes on when it is possible; others try and may fail */
    OP_INTERRUPTIBLE = 2,  /* a signal handler or a request to cancel ends the wait; it has failed then */
    OP_LOCKS = 4,          /* who waits for it waits for somebody to give something back */
    OP_WOKEN = 8,          /* goes on only after a signal to its thread on the condition event.other */
    OP_WHOLE = 16,         /* takes or gives a lock at once, however often it was held */
    OP_RETRIES = 32,       /* fails, and tries again when something has changed (rt/core/block.c) */
    OP_BY_VALUE = 64,      /* whether it got what it wanted is event.value, not EVENT_FAILED */
    OP_GIVES_WAY = 128,    /* a yield, for fairness */
    OP_TIMEOUT = 256,      /* so is a failure of it: its time is over */
    OP_TOGETHER = 512,     /* if event.size is set, all objects of the kind count as one */
    OP_ONE_SOURCE = 1024,  /* event.other possible sources; of one it stays behind event.match */
    OP_EVERYWHERE = 2048,  /* concerns parts of memory that nobody may have used yet */
    OP_CERTAIN = 4096,     /* however the threads come there: what it does is known before */
    OP_CERTAIN_DONE = 8192, /* … once it has been performed after the same events */
    OP_PAST_TAKERS = 16384, /* waits for takers, so that what it can be moved before lies behind them */
    OP_BROADCASTS = 32768, /* wakes everybody */
    OP_NO_CANCEL_POINT = 65536, /* a wait that only an asynchronous request to cancel its thread ends */
    OP_QUEUED = 131072, /* its thread was queued by another operation: it is never possible at once */
    OP_NOT_RESTARTED = 262144, /* a wait that ends when a handler has run, whatever SA_RESTART says */
    OP_SELECTS = 524288, /* pending only: what it receives, if anything, is a choice; it becomes one of … */
    OP_NOTHING = 1048576, /* … nothing was there: it is on no object … or what has OP_ONE_SOURCE */
    OP_SILENT = 2097152, /* follows from what is told anyway */
    OP_OF_THREAD = 4194304, /* event.object is the number of a thread */
    OP_WAKES_ONE = 8388608, /* event.value is the thread it woke + 1, 0 = nobody */
    OP_NAMES = 16777216, /* names an object that the next operation of its thread may be on */
    OP_RENEWS = 33554432, /* what is known of event.object is void */
    OP_UNNOTICED = 67108864, /* a step that nobody else can notice: when it is taken does not matter */
    OP_PLAIN = 134217728, /* an access that is not atomic */
};

/* What a sequence of receptions needs to be open, or an event finds open (explore/reach). */
enum { OPEN_TAKE = 1, OPEN_GIVE = 2, OPEN_SHARE = 4 };

/* The state just before an event, as far as the records tell it: for what another operation would
 * have been had it come then. */
struct object_past {
    const struct event *first; /* that event, and the role it played */
    int role;
    uint32_t count; /* what happens-before counted on the object until then */
    /* What steps that come in between add: + for each of role plus, - for minus and minus2. */
    int (*balance)(const struct object_past *past, int plus, int minus, int minus2);
    const void *steps;
    uint64_t object;
};

/* A wait that a request to cancel its thread can end: how it goes on depends on several objects, and so does
 * which operation it goes on with. What is known of them, and of where the thread stands. */
struct object_wait {
    unsigned kind;   /* what it is if nobody asks */
    unsigned before; /* kind of its thread's operation before it; EV_COND_WAIT: it has just queued */
    bool timed, signalled, asked;
    bool was_asked;  /* already when the operation before was performed */
    bool is_free;    /* the mutex that it takes again */
    bool ended;      /* the thread that it joins, when it was asked */
    int tokens, posts;
};

struct operation {
    uint8_t object;   /* enum object_kind */
    uint8_t role[2];  /* when it gets what it wants, and when it fails */
    uint8_t pending;  /* of the roles it may turn out to play the one that conflicts with most; 0: role[0] */
    uint8_t touch;    /* enum touch: what else it touches, in … */
    uint8_t touch_role;
    uint8_t other_object; /* enum object_kind: what event.other is, if perform_other changes it */
    uint8_t follows;  /* enum follows */
    uint8_t needs;    /* OPEN_…: what must be open for it to be completed */
    uint8_t instead;  /* if it comes before what woke it: the kind of event, on event.other, that it is */
    uint8_t then;     /* if it did not get what it wanted its thread is parked, and goes on with this kind */
    uint8_t crowd;    /* role of those inside of whom nobody may be left */
    uint32_t traits;
    uint64_t overtakes; /* roles of earlier events of its object that it could have come before; 0: all */

    /* Where the result decides more than whether it failed. */
    int (*role_of)(const struct event *e);
    /* Can it go on in the state? NULL: always. */
    bool (*possible)(const struct object_state *s, const struct event *op);
    /* Performs it: changes the state, fills in the results of the operation (trace/event.def). */
    void (*perform)(struct object_state *s, struct event *op);
    /* The same on the other object that it touches. */
    void (*perform_other)(struct object_state *s, struct event *op);
    /* The same of what receives the message of another event: source, that event.match names. */
    void (*perform_from)(struct object_state *s, struct event *op, const struct event *source);
    /* The object whose state it changes, if that is not event.object. */
    uint64_t (*state_of)(const struct event *e);
    /* What the record of a performed one tells of the state before it that no event before told: how an
     * object was initialised (first: it is the first event on it), what has no event of its own. */
    void (*learn)(struct object_state *s, const struct event *e, bool first);
    /* Where what it can be moved before depends on how it went. */
    uint64_t (*overtakes_of)(const struct event *e, bool cancellable);
    /* Was it impossible just before event e, which played the role? The count is that of happens-before. */
    bool (*closed)(unsigned kind, int role, const struct event *e, uint32_t count);
    /* The role it plays if it comes just before past->first, which it came after in role `was`. */
    int (*reversed)(const struct object_past *past, const struct event *e, unsigned kind, int was);
    /* Of a wait that can be ended: the kind of what its thread does next, 0 = it waits on, and the role.
     * ROLE_ANYTHING: that is not known. NULL: it is always this operation. */
    unsigned (*next)(const struct object_wait *w, uint8_t *role);
    /* OPEN_…: what could have been completed where e was, from the state before it; NULL: all but GIVE. */
    uint8_t (*open)(const struct object_state *s, const struct event *e);

    const char *done, *failed; /* its words, see report/words.c; failed NULL: as done */
    const char *waits;         /* why it cannot go on: "waits until message queue {} has room" */
};

#define EVENT(kind, name, class) extern const struct operation op_##kind;
#include "trace/event.def"
#undef EVENT

extern const struct operation *const operations[EVENT_KINDS];

static inline const struct operation *operation_of(unsigned kind)
{
    return operations[kind];
}

static inline bool operation_is(unsigned kind, unsigned traits)
{
    return operations[kind]->traits & traits;
}

/* Does an operation of the kind give a token, and does it wait until it gets one? */
static inline bool operation_posts(unsigned kind)
{
    return operations[kind]->role[0] == ROLE_POST;
}

static inline bool operation_waits_for_post(unsigned kind)
{
    return operations[kind]->role[0] == ROLE_TAKE && operation_is(kind, OP_BLOCKS);
}

static inline bool operation_sends(unsigned kind)
{
    return operations[kind]->role[0] == ROLE_SEND;
}

/* Does it create a thread, and does its thread end with it? */
static inline bool operation_creates(unsigned kind)
{
    return operation_is(kind, OP_OF_THREAD) && operations[kind]->follows == FOLLOWS_NOTHING;
}

static inline bool operation_ends(unsigned kind)
{
    return operations[kind]->object == OBJECT_THREAD && operations[kind]->role[0] == ROLE_NONE &&
           !operation_is(kind, OP_OF_THREAD);
}

/* Does it wait for a change of any of several objects? */
static inline bool operation_awaits(unsigned kind)
{
    return operations[kind]->touch == TOUCH_SET;
}

/* Did the event get what it wanted? */
static inline bool operation_succeeded(const struct event *e)
{
    return operation_is(e->kind, OP_BY_VALUE) ? e->value != 0 : !(e->flags & EVENT_FAILED);
}

/* Is the operation possible in the state; performs it on its object, which changes. */
bool object_possible(const struct object_state *s, const struct event *op);
void object_perform(struct object_state *s, struct event *op);
void object_perform_from(struct object_state *s, struct event *op, const struct event *source);

/* The message that the event sent, as a number that goes into sums. */
uint64_t object_message(const struct event *send);

/* Two states from which every operation does the same; equal states have equal hashes. */
bool object_same(const struct object_state *a, const struct object_state *b);
uint64_t object_hash(const struct object_state *s);

/* The role that the event played on its object, and the same if its semaphore had been posted
 * `posts` times. */
int object_role(const struct event *e);
static inline int object_refined_role(int role, const struct event *e, uint64_t posts)
{
    return role == ROLE_TAKE && e->value >= posts ? ROLE_RESERVED : role;
}

/* The count of happens-before after an event of this kind in this role. */
uint32_t object_count_after(unsigned kind, int role, uint32_t count);

/* The roles of earlier events of its object that an operation could have come before. */
static inline uint64_t object_overtakes(const struct event *e, bool cancellable)
{
    const struct operation *o = operation_of(e->kind);
    if (__builtin_expect(o->overtakes_of != NULL, 0))
        return o->overtakes_of(e, cancellable);
    return o->overtakes ? o->overtakes : ~0ull;
}

/* Can a thread lock the mutex? Inline, because it is asked most. */
static inline bool mutex_possible(const struct object_state *s, int thread)
{
    return s->owner < 0 || (s->owner == thread && s->kind != MUTEX_NORMAL);
}

/* Is e, which played the role SIGNAL, what a waiting thread was woken by? */
static inline bool object_wakes(const struct event *e, unsigned thread)
{
    return operation_is(e->kind, OP_BROADCASTS) || e->value == thread + 1u;
}

#endif
