/* What the two halves of the unfolding engines share: following executions (unfold.c) and finding what has
 * become possible (extend.c). */
#ifndef EXPLORE_UNFOLD_UNFOLD_H
#define EXPLORE_UNFOLD_UNFOLD_H

#include "explore/engine.h"
#include "explore/parts.h"
#include "explore/unfold/names.h"
#include "explore/unfold/net.h"
#include "object/dependence.h"
#include "solve/cdcl.h"

enum { UNFOLD_UNKNOWN = 256, UNFOLD_RECENT = 1024, UNFOLD_HASH_SHIFT = 64 - 10, UNFOLD_AVOIDED = 64,
       UNFOLD_PATH_SLOTS = 64, UNFOLD_PATH_DEEP = 512 };

/* An event of an execution, and what of it is looked at again and again. */
struct unfold_done {
    struct net_event *event;
    uint32_t at; /* its number in the trace */
    uint32_t thread;
    uint32_t depth; /* of what it has put for its thread */
};

/* What the execution before, or the one under way, has done. */
struct unfold_past {
    struct unfold_done *done; /* [count] */
    uint32_t count;
    uint32_t usable; /* so many can be repeated; 0: none */
    uint32_t kept;   /* so many are, by the next execution, … */
    uint32_t steps, known; /* … which are these of the trace */
};

/* An event of the execution that others are known by, for each condition that it reads. */
struct unfold_look {
    struct net_event *event;
    const struct net_condition *at;
    uint32_t role, before; /* before: of the same slot, its place from 1; 0: none */
};

struct unfold {
    struct net net;
    struct unfold_past past;
    struct unfold_names names;
    const struct trace *trace;
    struct net_condition **now; /* [slot]: where the execution under way is */
    struct net_condition **path; /* [slot][depth]: what it has come by (unfold_on_path) */
    uint32_t now_count;
    struct net_event **fresh; /* performed for the first time in it */
    uint32_t fresh_count, room;
    struct net_want *recent[UNFOLD_RECENT]; /* wants that others can share; by a hash */
    struct object_state *recent_states[UNFOLD_RECENT]; /* states likewise */
    struct net_stand *standpoints; /* operations that became known in it */
    uint32_t standpoint_count;
    struct unfold_look *looks; /* [look_count]: of it */
    uint32_t look_count, *last_look; /* [slot]: its place from 1; 0: none */
    struct net_event **found, **marks; /* scratch */
    struct net_event *reads[EVENT_MAX_THREADS], *foreseen_reads[EVENT_MAX_THREADS]; /* of unfold_like() */
    struct net_event *newest; /* of the execution */
    struct net_condition *woken[EVENT_MAX_THREADS]; /* what the signal to a waiting thread put */
    uint16_t choice[EVENT_MAX_THREADS], choices[EVENT_MAX_THREADS]; /* taken in the operation under way */
    struct net_ports ports[EVENT_MAX_THREADS]; /* that it has named for the operation it comes to */
    bool inputs; /* the program has some: what memory holds does not follow from the events */
    uint32_t condition[EVENT_MAX_THREADS]; /* of the branch on inputs in the operation under way */
    bool bit[EVENT_MAX_THREADS];
    struct wish *wishes; /* [order_room + 1 + UNFOLD_AVOIDED] */
    uint8_t *holds;
    struct net_event *avoided[UNFOLD_AVOIDED]; /* branches on inputs behind which an assumption fails */
    uint32_t avoided_count;
    struct tset started; /* threads of the execution, by name: where they stand counts */
    struct tset moved; /* threads that went on after an assumption failed: where they stand is not known */
    int begun; /* threads that have not ended */
    struct parts parts; /* of memory: which are objects */
    uint64_t polled, polled_end; /* descriptors that somebody looks at together: they are one object */
    bool begins_anew;   /* that has changed, or which descriptors are one */
    uint32_t *waiting; /* [waiting_count]: possible events to be tried, by number; last the newest, whose
                        * causes are at hand */
    uint32_t waiting_count;
    uint32_t probes; /* so many of the next targets are taken from anywhere: unfold_plan_next */
    uint32_t packed; /* of these, so many this execution may still come to */
    uint32_t missed; /* how often in a row none of these could be come to, up to a few times */
    struct net_event **plan;        /* what comes before the target, and the target */
    uint32_t plan_count, plan_at;
    struct net_condition *unknown[UNFOLD_UNKNOWN]; /* threads there stood before something not shown */
    int unknown_count;
    size_t kept_from; /* of the arena: what is behind is the net */
    uint64_t memory;  /* how much that may be */
    int (*go_on)(void); /* of this process: engine.go_on, … */
    int (*fails)(uint64_t state, uint64_t value); /* … engine.fails, … */
    bool (*suit)(const struct wish *wishes, uint32_t count, uint32_t must, uint8_t *holds);
    bool (*made_concrete)(uint32_t condition);
    uint32_t concretise; /* config.concretise */
    bool passed_over;   /* of the execution under way, what follows a failed assumption */
    bool ended;         /* some execution came to its end */
    bool loops;         /* a thread waits in one: what was performed may be left out by now */
    bool left_waiting;  /* one was left because a thread waits in a loop that looks at several variables */
    bool stopped;       /* it said no: the search ends here */
    uint32_t attempts;  /* to find what is possible */
    char why[ENGINE_WHY]; /* the search will not be complete */
    int joiners;      /* threads that join others */
    bool joins[EVENT_MAX_THREADS];
    bool overlooked;  /* check.c: the net is not what it should be */
    uint64_t overlook, offers; /* a setting, to test that: one in so many conditions is not offered */
    bool some_waits;  /* some thread stood where a deadlock may begin */
    bool some_ends;   /* net_condition.exits of some condition */
    bool left_locked; /* a thread has ended that held a lock */
    struct cdcl *solver; /* NULL until deadlocks are looked for */
    struct net_wait **shown; /* [shown_count]: who waits for what in deadlocks that were executed */
    uint32_t shown_count;
    struct net_condition ***planned; /* [planned_count]: of states that were taken for deadlocks
                                      * where all threads stand, ended by NULL (shown.c) */
    uint32_t planned_count;
    struct net_event ***cycles; /* [cycle_count]: events that cannot happen all, ended by NULL */
    uint32_t cycle_count;
    uint32_t *clause; /* scratch of question.c */
    uint64_t start[EVENT_MAX_THREADS]; /* where the thread began */
    struct net_condition *written; /* put by a plain write, whose value the trace will show */
    uint32_t written_at;
    struct unfold_properties *properties; /* NULL: none */
};

/* The condition of a slot, of a thread, in the execution under way. */
static inline struct net_condition **unfold_now(struct unfold *u, uint32_t slot)
{
    for (; u->now_count < u->net.slot_count; u->now_count++)
        u->now[u->now_count] = u->net.slots[u->now_count].root;
    return &u->now[slot];
}

static inline struct net_condition *unfold_thread(struct unfold *u, unsigned thread)
{
    uint32_t slot = u->net.thread_slot[thread];
    return *unfold_now(u, slot ? slot : net_thread_slot(&u->net, thread));
}

/* The same by the number of the thread in the execution. */
static inline struct net_condition *unfold_numbered(struct unfold *u, unsigned number)
{
    return unfold_thread(u, unfold_names_name(&u->names, number));
}

/* Where c has its place among what the execution has come by; NULL: nowhere, to climb is needed. */
static inline struct net_condition **unfold_on_path(const struct unfold *u, uint32_t slot, uint32_t depth)
{
    bool kept = slot < UNFOLD_PATH_SLOTS && depth < UNFOLD_PATH_DEEP;
    return kept ? &u->path[slot * UNFOLD_PATH_DEEP + depth] : NULL;
}

/* The execution has come to c. */
static inline void unfold_come_to(struct unfold *u, struct net_condition *c)
{
    struct net_condition **at = unfold_on_path(u, c->slot, c->depth);
    u->now[c->slot] = c;
    if (at)
        *at = c;
}

/* Has it come by c? */
static inline bool unfold_came_by(const struct unfold *u, const struct net_condition *c)
{
    const struct net_condition *now = u->now[c->slot];
    if (!c->depth || c->depth >= now->depth)
        return !c->depth || c == now;
    struct net_condition *const *at = unfold_on_path(u, c->slot, c->depth);
    return at ? *at == c : net_above(c, now);
}

/* past.c. An event was passed, at this place of the trace; the execution has ended; the next one, or the same
 * once more, begins. */
int unfold_past_init(struct unfold *u, struct arena *arena);
void unfold_past_note(struct unfold *u, struct net_event *done, uint32_t at);
/* From here on something happens that is not put back. */
static inline void unfold_past_stop(struct unfold *u)
{
    if (u->past.usable > u->past.count)
        u->past.usable = u->past.count;
}
void unfold_past_end(struct unfold *u, bool usable);
void unfold_past_begin(struct unfold *u, struct trace *t);
/* The net's merged[] is the state before the target of the next execution: what that has in common with the
 * last one is kept, and now[] is the state behind it. False: nothing. */
bool unfold_past_share(struct unfold *u, const struct net_event *target);

/* The event is the newest of the execution, and is none. */
static inline void unfold_forget_looks(struct unfold *u, const struct net_event *e)
{
    for (; u->look_count && u->looks[u->look_count - 1].event == e; u->look_count--) {
        const struct unfold_look *look = &u->looks[u->look_count - 1];
        u->last_look[look->at->slot] = look->before;
    }
}

/* engine_class.observe */
void unfold_observe(struct engine *e, const struct event *ev);

/* Of n candidates of the operation the one that stands in place i by the names of their threads: its place by
 * their numbers. */
int unfold_choice(struct engine *e, const struct event *op, int n, int i);

/* An operation, announced or performed, as the slots it touches; false: it is no event of the net. */
bool unfold_describe(struct unfold *u, const struct event *op, const struct act *act, struct net_want *w);
void unfold_want(struct unfold *u, unsigned thread, const struct event *op); /* the thread stands before op */
/* What the thread stood before, if its slots are those of ev, which it has performed; NULL: look at ev. */
const struct net_want *unfold_stood_before(struct unfold *u, const struct event *ev, const struct act *act);
/* What all threads stand before; who is not enabled cannot go on (NULL: that is not known). */
void unfold_note_wants(struct engine *e, const struct tset *live, const struct tset *enabled,
                       const struct event *next);
void unfold_note_named(struct unfold *u, const struct event *ev); /* a port that it can receive from */
bool unfold_waits_for_signal(const struct net_condition *c);

/* Is the operation one that these engines know? If not, the verdict cannot be "safe", and says why. */
bool unfold_knows(const struct event *op);

/* Is it the start of its thread? Of one that is like another one it comes after the first step of that
 * (rt/core/orbit.h); otherwise it is part of its creation. */
static inline bool unfold_starts(unsigned kind)
{
    return operation_is(kind, OP_OF_THREAD) && operation_is(kind, OP_SILENT);
}

/* Has the thread at c ended? */
static inline bool unfold_has_ended(const struct net_condition *c)
{
    return net_maker(c) && operation_ends(net_maker(c)->kind);
}

/* What happens inside a monitor: without a decision, and determined by who has entered it in what order. */
static inline bool unfold_inside(unsigned kind)
{
    return operation_of(kind)->object == OBJECT_MONITOR && event_class(kind) == CLASS_LOCAL;
}

/* What the first step has put of the thread that came to c, if it is at or above c. */
struct net_condition *unfold_first_step(const struct net_condition *c);

/* Does it wait for the end of a thread? */
static inline bool unfold_joins(unsigned kind)
{
    const struct operation *o = operation_of(kind);
    return o->object == OBJECT_THREAD && o->follows == FOLLOWS_THREAD && !unfold_starts(kind);
}

/* What it touches is memory: a futex is its word, and the conditions of that know who waits there. */
static inline bool unfold_in_memory(unsigned kind)
{
    unsigned object = operation_of(kind)->object;
    return object == OBJECT_MEMORY || object == OBJECT_FUTEX;
}

/* A wait on a futex whose time is over leaves the queue, which matters to who wakes those there: it is a
 * mark that conflicts with writes. */
static inline int unfold_role(const struct event *op, int role)
{
    return operation_is(op->kind, OP_QUEUED) && op->flags & EVENT_FAILED ? ROLE_AWAIT : role;
}

/* Is it the look of a loop that waits, which is not performed while it would only go round
 * (rt/core/await.h)? */
static inline bool unfold_looks(const struct event *op)
{
    return op->flags & EVENT_SPUN && operation_of(op->kind)->object == OBJECT_MEMORY && op->size <= 8;
}

/* Has it failed once, so that it is not tried again before it is possible (rt/core/block.h)? */
static inline bool unfold_retries(const struct event *op)
{
    return op->flags & EVENT_SPUN && operation_is(op->kind, OP_RETRIES);
}

/* Of a thread at c that looks: it only goes round if it reads what is at `at`, if that is known. */
void unfold_note_round(struct unfold *u, struct net_condition *c, const struct net_condition *at);
void unfold_not_known(struct engine *e, const struct event *op);

/* What an operation would be at these conditions in state[]: roles[NET_TOUCHES], those that conflict with
 * most where it is not known. False: it cannot go on there. */
bool unfold_foresee(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                    struct net_condition *const *touched, struct net_condition *const *state,
                    uint8_t *roles);

/* An operation on memory or a descriptor that only looks if it does not find what it wants: the role
 * that it has played there; -1: it was not performed there yet, or is none of these. */
int unfold_shown_role(const struct unfold *u, unsigned kind, const struct net_condition *thread,
                      const struct net_condition *c);

/* The state of the object at c in state[]; false: it is not known. */
bool unfold_state_at(struct unfold *u, const struct net_condition *c, struct net_condition *const *state,
                     struct object_state *s);

/* asked.c: requests to cancel threads. Roles of what concerns one; is the thread asked to end that c, of what
 * it is asked through, belongs to? */
enum { UNFOLD_ENDS = 3 };
static const uint64_t unfold_asking = ROLE_SET(CANCEL) | ROLE_SET(CANCEL_SEEN);
static inline bool unfold_asked(const struct net_condition *c)
{
    return net_state(c) && net_state(c)->count;
}
bool unfold_can_end(const struct event *op); /* what is cancellable: is it known how that ends? */
/* The operations that a thread at c stands before whose wait can be asked to end; the usual one is the
 * last. How many. */
int unfold_ends(struct unfold *u, const struct net_condition *c, const struct event *op,
                struct event ends[UNFOLD_ENDS]);
bool unfold_foresee_end(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                        struct net_condition *const *touched, struct net_condition *const *state,
                        uint8_t *roles);

/* signals.c: is it about signals (and not requests to cancel), and of a kind that is known? Was what the
 * event has received sent before it, or is nothing there if it received none? */
bool unfold_signals(unsigned kind);
bool unfold_signals_known(const struct event *op);
bool unfold_foresee_signal(const struct unfold *u, const struct net_want *w,
                           struct net_condition *const *touched, uint8_t *roles);
bool unfold_signal_was_sent(const struct unfold *u, const struct net_event *done, const struct event *ev);

/* The operation cannot go on in the execution under way: tells how an object was initialised. */
void unfold_note_closed(struct unfold *u, const struct event *op);

/* How often the semaphore of c has been posted in the execution under way. */
uint64_t unfold_posts(struct unfold *u, const struct net_condition *c);

/* An event was performed for the first time, in the state now[]: what it tells about the states of objects.
 * source: what event.match names. */
void unfold_note_state(struct unfold *u, struct net_event *done, const struct event *ev,
                       const struct event *source);

/* Of several who wait on a futex the wake that was performed last has woken this one. */
void unfold_note_left(struct unfold *u, const struct event *ev);

/* An access to memory has changed a word: those who wait on it as a futex still do. */
void unfold_keep_waiting(struct unfold *u, struct net_event *done, const struct event *ev);

/* The event that the thread's operation is at these conditions in state[], as far as foreseen, valid until
 * the next call; false: it cannot go on there. */
bool unfold_like(struct unfold *u, const struct net_want *w, struct net_condition *thread,
                 struct net_condition *const *touched, struct net_condition *const *state,
                 struct net_event *like);

/* The next event of the plan, NULL at its end; a plan for another target that the execution can still
 * come to, and its first event; a plan for the next execution (false: nothing is left to be tried). */
struct net_event *unfold_planned(struct unfold *u);
struct net_event *unfold_plan_more(struct unfold *u);
bool unfold_plan_next(struct unfold *u);
void unfold_try_later(struct unfold *u, struct net_event *e); /* a possible event */

/* Called now and then in what may take long: true, it is to stop. */
static inline bool unfold_stops(struct unfold *u)
{
    u->stopped |= u->go_on && !u->go_on();
    return u->stopped;
}

/* Branches on inputs: the side that the inputs at hand lead to. */
int unfold_take_side(struct engine *e, const struct event *op);

/* Inputs for the next execution that lead along the branches of these events; false: there are none, and
 * it is the branches up to events[*at] that do not go together. */
bool unfold_suit(struct unfold *u, struct net_event *const *events, uint32_t count, uint32_t *at);
struct wish unfold_wish(const struct net_event *branch, bool side);
uint32_t unfold_wishes(struct unfold *u, struct net_event *const *events, uint32_t count); /* how many */
/* given_up.c: after an execution in which assumptions failed; inputs for a plan with which they do not. */
void unfold_given_up(struct engine *e);
void unfold_avoid(struct unfold *u);

/* Can the branch go the other way after the same events? */
bool unfold_other_side(struct unfold *u, struct net_event *done);

/* Before an event is performed that the net did not have: should it have had it? */
void unfold_check_foreseen(struct unfold *u, const struct net_event *made);

/* When no possible event is left: NULL, or why the net may still not be complete. */
const char *unfold_check(struct unfold *u);

/* After an execution: finds what its fresh events and new standpoints make possible. */
void unfold_extend(struct unfold *u);

/* The thread has come to stand at c: whether a deadlock may begin there. */
void unfold_note_stand(struct unfold *u, const struct net_condition *c);

/* When the net is complete: a state in which threads wait and nobody can go on, and which no execution has
 * shown: the net's order[] leads there. */
enum answer unfold_deadlock(struct unfold *u);

/* The values that an event tells about; and of a plain write, which the trace shows later. */
void unfold_note_values(struct unfold *u, struct net_event *done, const struct event *ev);
void unfold_expect_value(struct unfold *u, const struct net_event *done, const struct event *ev,
                         uint32_t at);
void unfold_note_written(struct engine *e);

/* --property, when the net is complete: the next state in which one holds that no execution has shown: the
 * net's order[] leads there. Sets e->incomplete if that cannot be said. */
int unfold_properties_init(struct engine *e);
bool unfold_property(struct engine *e);

/* An execution has ended in the state, and that was a deadlock. */
void unfold_deadlock_shown(struct unfold *u, struct net_condition *const *state);

#endif
