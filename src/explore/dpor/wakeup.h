/* Wakeup trees (JACM 2017, section 6): per step of the execution under way an ordered tree of
 * sequences that must still be explored from there. Nodes come from a pool in the arena and go back
 * to a free list, so their number is bounded by what is waiting at one time. Node 0 is "none". */
#ifndef EXPLORE_WAKEUP_H
#define EXPLORE_WAKEUP_H

#include "explore/share/acts.h"
#include "explore/dpor/reversal.h"
#include "trace/work.h"

struct wakeup_step {
    struct act act;
    uint16_t pick, branch; /* as in struct step */
};

/* Millions of them may wait: they are small. */
struct wakeup_node {
    uint32_t act;         /* number in the table */
    uint32_t next, child; /* sibling; first child */
    uint16_t pick, branch;
};

struct wakeup {
    struct wakeup_node *nodes;
    struct acts *acts;
    uint32_t used, room, free_list;
    uint32_t *of_step; /* [step]: first child of the tree's root */
    uint32_t live;     /* nodes in trees */
    uint64_t memory;   /* bytes that nodes and acts may take */
    struct limits *limits;
    uint32_t whole;    /* sequences of up to so many steps are not shortened */
    bool first_value;  /* a sequence that says nothing of a choice means its first value */
};

/* … where what lies below is shared: the shorter it is, the more of the search is one worker's alone. */
#define WAKEUP_WHOLE_SHARED 4u
int wakeup_init(struct wakeup *w, struct engine *e);

/* insert_[E](v, wut(E)), v as rev_restore has left it; true if the tree grew. If not, *settled is
 * as in struct hb_race. */
struct wakeup_sleepers;
bool wakeup_insert(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *root,
                   const struct wakeup_sleepers *s, uint32_t *settled);

/* Its two parts. Where what is left of r would have to be appended, and the node that list is below
 * (0: it is the root's); NULL if r is covered. Then the items to append, one after the other, with
 * *i = 0 at first. */
#define WAKEUP_NONE 0xffffffffu
uint32_t *wakeup_place(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *list,
                       const struct wakeup_sleepers *s, uint32_t *branch, uint32_t *settled,
                       uint32_t *under);
/* What sleeps at the root, and what the step under way there performs. */
struct wakeup_sleepers {
    const struct act *acts, *own;
    uint32_t count;
};
void wakeup_shorten(const struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t root,
                    const struct wakeup_sleepers *s);
uint32_t wakeup_rest(struct reversal *r, const struct happens *h, uint32_t *branch, uint32_t *i);

static inline struct wakeup_step wakeup_step(const struct wakeup *w, uint32_t node)
{
    const struct wakeup_node *n = &w->nodes[node];
    return (struct wakeup_step){w->acts->items[n->act], n->pick, n->branch};
}

/* Takes the first child of the list off; gives its children through *subtree. */
struct wakeup_step wakeup_take(struct wakeup *w, uint32_t *list, uint32_t *subtree);

/* As wakeup_take, of the first child whose thread is not asleep, or that is a choice; those before it are
 * dropped. False if there is none. */
bool wakeup_take_awake(struct wakeup *w, uint32_t *list, uint32_t *subtree, const struct tset *asleep,
                       struct wakeup_step *step);

/* As wakeup_take, of the first child with this value; false if there is none. */
bool wakeup_take_value(struct wakeup *w, uint32_t *list, int value, uint32_t *subtree);

void wakeup_drop_all(struct wakeup *w, uint32_t *list);
/* Frees a list with all below; mostly there is none. */
static inline void wakeup_drop(struct wakeup *w, uint32_t *list)
{
    if (*list)
        wakeup_drop_all(w, list);
}

/* A leaf at the end of the list. */
void wakeup_append(struct wakeup *w, uint32_t *list, struct act a, uint16_t pick, uint16_t branch);

/* A list with all below, written and read; *list is empty before. */
void wakeup_put(const struct wakeup *w, uint32_t list, struct work *out);
void wakeup_get(struct wakeup *w, uint32_t *list, struct work *in);

#endif
