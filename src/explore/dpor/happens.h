/* The happens-before relation of the execution under way, and its races.
 *
 * Every visible event, choice, thread start, join and barrier exit gets an *entry* with a vector
 * clock (base/vclock.h). Entries of the prefix that the next execution
 * shares are kept; begin() takes back the others, newest first, from the undo data each access
 * recorded. Per object there is a chain of accesses, so the work for a new event depends on how many
 * accesses there were since the last one that conflicts with everything, not on the trace.
 *
 * A race is a pair (e, e2) of events of different threads that could have come the other way round:
 * dependent, e2 possible without e, and nothing between them in happens-before (JACM 2017, section
 * 3; for blocking operations the acquisitions race, not the release that came between). */
#ifndef EXPLORE_HAPPENS_H
#define EXPLORE_HAPPENS_H

#include "base/htable.h"
#include "base/vclock.h"
#include "explore/engine.h"
#include "object/dependence.h"

enum { HB_NONE = 0xffffffffu };

/* ENDABLE: a wait that a request to cancel its thread can end, or one that such a request has ended. */
enum { HB_PENDING = 1, HB_SPUN = 2, HB_TIMED = 4, HB_ENDABLE = 8 };

struct hb_entry {
    struct act act;    /* role NONE: start, join, choice, … */
    uint32_t event;    /* index in the trace */
    uint32_t step;     /* the scheduling step that performed it; HB_NONE: not a step of its own */
    uint32_t previous; /* last entry of the same thread before it */
    uint32_t accesses; /* number of access records before it */
    uint32_t latest;   /* of an access to memory: none after this entry happens before it; 0: previous */
    vtime time;      /* in its thread, from 1; 0: a start, join, … (takes no time) */
    uint16_t flags;
};

struct hb_race {
    uint32_t first, second; /* entries */
    uint32_t settled; /* while entries up to this one are kept, its reversal is known to be covered */
};

struct hb_access;
struct hb_slot;

struct happens {
    struct trace *trace;
    struct arena *arena;
    bool all_conflict; /* reads of the same bytes are dependent too (003 figure 2) */
    uint32_t width;    /* of a row: a multiple of 8, at least the number of threads */
    uint32_t count, room;
    uint32_t performed; /* entries below are performed, those above pending ones (hb_pending) */
    uint32_t seen;      /* events below were observed, or could wait and were caught up on */
    struct hb_entry *entries;
    vtime *rows;
    uint32_t last[EVENT_MAX_THREADS]; /* entry of each thread, HB_NONE = none yet */
    uint32_t *of_step; /* [step]: entry of the event or choice it led to, HB_NONE = none yet */
    struct hb_slot *slots; /* one for each object */
    uint32_t slot_room, slot_count;
    struct htable slot_of; /* the slot of a key */
    struct hb_access *accesses;
    uint32_t access_count, access_room;
    uint32_t wide; /* newest access of an event that concerns words nobody may have used yet, + 1 */
    struct hb_race *races;
    uint32_t race_count, race_room;
    uint32_t race_kept; /* races before it are between events of the retained prefix */
    uint32_t kept;      /* entries of the retained prefix */
    uint64_t memory; /* bytes that one array may grow to */
    struct limits *limits;
    bool overflow; /* a limit was reached: not all that happened is here */
    bool counted;  /* somebody played a role of hb_is_counted */
    bool robbed;   /* hb_robber may have something to say */
    struct hb_race *robberies; /* what it has said of entries below `searched` */
    uint32_t robbery_count, robbery_room, searched;
    uint32_t *changes; /* entries below `listed` that are more than a read: what can rob one who looks */
    uint32_t change_count, listed;
    struct section *sections; /* the lists of accesses that sections had; NULL: there are no sections */
};

int hb_init(struct happens *h, struct engine *e);
/* Before an execution: forgets what the retained prefix does not cover. */
void hb_begin(struct happens *h);
/* The last step of the prefix is another one than it was: what it performed did not happen. */
static inline void hb_leave(struct happens *h)
{
    if (h->seen > h->trace->event_count)
        hb_begin(h);
}

/* A new event. One that can wait need not be told: its entry is made before the next one is observed, or is
 * pending. Main joining everybody at its end has none. */
void hb_observe(struct happens *h, const struct event *ev);
static inline bool hb_can_wait(const struct event *ev)
{
    return event_class(ev->kind) == CLASS_LOCAL &&
           (operation_of(ev->kind)->follows == FOLLOWS_NOTHING || operation_is(ev->kind, OP_OF_THREAD));
}
/* After the last event: a pending operation, for its races. */
void hb_pending(struct happens *h, const struct event *op);

/* A thread waits for something (data in a pipe, a variable in a loop). It was there for a while, and then
 * another thread took it away before the waiting one was picked. Taking and waiting conflict, but events
 * in between can order them, so no race shows it. Returns the entry that took it: the first one
 *   - after entry `from` (to go through all of them call again with the result),
 *   - before entry `second`, the wait, and after the last entry of its thread,
 *   - that conflicts with the wait, and
 *   - before which the waiting thread could have gone on (`enabled`, per step).
 * 0: there is none (any more).
 * Of a wait that can be ended (HB_ENDABLE): every entry that concerns how it goes on, and that does not come
 * before its thread stands there. */
uint32_t hb_robber(struct happens *h, uint32_t second, uint32_t from, const struct tset *enabled);
/* Searches the entries that were not searched yet; what is found is added to the robberies, which
 * stay while their entries are kept. Returns where it came to: of that entry and those after it
 * what is found has no room. */
uint32_t hb_search_robberies(struct happens *h, const struct tset *enabled);

/* A wait that can be cut short, so that it goes on without what it waits for. */
static inline bool hb_cut_short(unsigned kind)
{
    return (operation_of(kind)->traits & (OP_BLOCKS | OP_INTERRUPTIBLE | OP_WOKEN)) ==
           (OP_BLOCKS | OP_INTERRUPTIBLE);
}

/* The thread of the second event could not go on just before the first: is it certain that nothing that is
 * not after the first would let it? */
bool hb_cannot(const struct happens *h, const struct hb_race *race);

/* Does the act concern how the wait of entry `wait`, which is HB_ENDABLE, goes on? */
bool hb_concerns(const struct happens *h, const struct act *a, uint32_t wait);
/* Where the thread of such an entry began to wait on its condition; HB_NONE: it is another wait. */
uint32_t hb_queued(const struct happens *h, uint32_t wait);

/* Is it that because of how many came before it, none of which it is dependent with? */
static inline bool hb_is_counted(int role)
{
    return role_in(ROLE_SET(LAST_BUT_ONE) | ROLE_SET(PLACE_LAST), role);
}

static inline const vtime *hb_row(const struct happens *h, uint32_t entry)
{
    return h->rows + (size_t)entry * h->width;
}

/* Does entry `a` (which has a time) happen before or equal b? */
static inline bool hb_before(const struct happens *h, uint32_t a, uint32_t b)
{
    const struct hb_entry *e = &h->entries[a];
    return hb_row(h, b)[e->act.thread] >= e->time;
}

/* Of the object of an entry just before it: how often its mutex was held by its owner, how many
 * readers its rwlock had, how often its semaphore was posted. */
uint32_t hb_count_before(const struct happens *h, uint32_t entry);

#endif
