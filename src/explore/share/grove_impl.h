/* Shared by grove.c, grove_work.c and grove_close.c alone: what lies in the shared memory. */
#ifndef EXPLORE_GROVE_IMPL_H
#define EXPLORE_GROVE_IMPL_H

#include "explore/share/grove.h"

enum { GROVE_ROOM = 1 << 26, GROVE_SPARE = 1 << 22 }; /* nodes; those for splitting */
enum { GROVE_TOP = 1, GROVE_ROOT = GROVE_WHOLE }; /* above the root; the whole search */

enum grove_state {
    GROVE_INNER,   /* `child` lists its branches */
    GROVE_WAITING, /* a leaf, and so are the following */
    GROVE_OUT,     /* a worker has it */
    GROVE_SPLIT,   /* `below` lists the branches of the first state given away */
    GROVE_DONE,
};

enum {
    GROVE_CERTAIN = 1,  /* it will perform what it is expected to */
    GROVE_EXECUTED = 2, /* `performed` is what it performs */
    GROVE_CLAIMED = 4,  /* a worker is on its way through it for the first time */
    GROVE_IDLE = 8,     /* nothing waits below */
    GROVE_SEEN = 32, /* the same, known here; others have not heard of it yet (tell.h) */
    GROVE_MINE = 64,  /* while several leaves are taken together: on the way to one of them */
    GROVE_EXACT = 16,   /* the elder branches of the state below are all that sleeps there */
};

struct grove_more {
    struct act performed;
    uint64_t runs; /* executions, of what is done */
    uint32_t parent, depth; /* steps up to and including this one */
    uint32_t below;
    uint32_t open;  /* branches of the state below that are not complete */
    uint32_t first; /* … the first of them, when this was last looked at */
    uint8_t state, flags;
    uint8_t member; /* that has it, if OUT */
};

/* What a worker is about to change; see grove_died. */
struct grove_intent {
    uint32_t leaving, at, taking, dropped;
    uint8_t splitting, under_way;
};

struct grove {
    _Atomic uint32_t lock; /* member + 1 */
    uint32_t used, free_list;
    uint32_t live, limit; /* nodes: those there are, and how many there may be */
    uint32_t full;        /* something was left out because of it */
    uint32_t waiting; /* leaves */
    uint32_t deepest; /* of a node there ever was */
    uint32_t since_sweep;
    _Atomic uint64_t hungry;
    uint64_t taken, splits, inserted, overlaps;
    struct grove_intent intents[GROVE_MEMBERS];
};

static inline struct acts *acts_of(const struct grove *g)
{
    return (struct acts *)((char *)g + 4096 * 4);
}

static inline struct wakeup_node *nodes_of(const struct grove *g)
{
    return (struct wakeup_node *)(acts_of(g) + 1);
}

static inline struct wakeup_node *node_at(const struct grove *g, uint32_t n)
{
    return nodes_of(g) + n;
}

static inline struct grove_more *more_at(const struct grove *g, uint32_t n)
{
    return (struct grove_more *)(nodes_of(g) + GROVE_ROOM) + n;
}

static inline const struct act *expected_at(const struct grove *g, uint32_t n)
{
    return &acts_of(g)->items[node_at(g, n)->act];
}

static inline uint32_t *branches_of(const struct grove *g, uint32_t n)
{
    return more_at(g, n)->state == GROVE_INNER ? &node_at(g, n)->child : &more_at(g, n)->below;
}

static inline bool is_complete(const struct grove_more *m)
{
    return m->state == GROVE_DONE || ((m->state == GROVE_INNER || m->state == GROVE_SPLIT) && !m->open);
}

static inline bool is_confirmed(const struct grove_more *m)
{
    return m->flags & (GROVE_CERTAIN | GROVE_EXECUTED);
}

void grove_lock(struct grove *g, int member);
void grove_split_locked(struct grove *g, const struct grove_split *s); /* grove_split, by who has the lock */
bool grove_try_lock(struct grove *g, int member); /* not for ever */
void grove_unlock(struct grove *g);

/* A node with nothing below it, linked nowhere yet. */
uint32_t grove_new(struct grove *g, const struct wakeup_step *like, uint32_t parent,
                   enum grove_state state, unsigned flags);
void grove_link(uint32_t *list, uint32_t node); /* at its end */
void grove_drop(struct grove *g, uint32_t *list); /* frees a list with all below */
void grove_repair(struct grove *g); /* whatever follows from the states of the nodes */

/* With the lock held: as grove_insert, beside the branch `own`; what a step performs. */
bool grove_place(struct grove *g, const struct happens *h, struct reversal *r, uint32_t own,
                 const struct wakeup_sleepers *s, uint32_t *settled);
bool grove_place_thread(struct grove *g, uint32_t own, const struct grove_thread *t);
bool grove_confirm_one(struct grove *g, uint32_t node, const struct act *a);
/* It is noted here only, with the lock held. False: something else was known. */
bool grove_see(struct grove *g, uint32_t node, const struct act *a, bool locked);
/* What the step of the path performed in the execution. */
struct act grove_performed(const struct grove *g, const struct grove_path *p, const struct happens *h,
                           uint32_t step);
/* With the lock held: a choice comes before this branch of a state; 0: that cannot be. */
uint32_t grove_put_value(struct grove *g, uint32_t branch, int values, int first);
/* The next leaf is taken, near this one if that is not 0, together with those before; and for each of them,
 * when there are enough; it is given back; it is done. */
uint32_t grove_take(struct grove *g, uint32_t near);
void grove_taken(struct grove *g, uint32_t leaf);
void grove_return(struct grove *g, uint32_t leaf);
void grove_leaf_done(struct grove *g, uint32_t leaf, uint64_t runs);
/* What can follow `at`, on the way to it, is the leaf now; which one is. */
uint32_t grove_shorten(struct grove *g, uint32_t leaf, uint32_t at);

/* A branch of `parent` more is open, or one less. */
void grove_opened(struct grove *g, uint32_t parent);
void grove_completed(struct grove *g, uint32_t parent);
/* Closes what nothing can be inserted into any more. */
void grove_sweep(struct grove *g);

#endif
