/* The states that several workers share (-j N; on a farm everybody has a copy), in memory that all of them
 * and the host have mapped. Workers look, insert, take and split here by themselves: nothing goes through
 * the host, and an insertion costs what it costs in one worker.
 *
 * A node is a branch of a state: the step that leads on from it. The branches of a state are a list in
 * a fixed order that only grows at its end. A *leaf* stands for everything that can follow: below it
 * nothing sleeps that could keep an execution from its end, and one worker owns what lies there. It
 * may have been split since: then the states that its worker has given away lie below it (`below`). An
 * inner node is a step of wakeup sequences: below it only these are explored, and new ones may come.
 *
 * Why each trace is explored exactly once, whoever takes what when:
 *  - Of two branches of a state the later one has what the earlier one performs in its sleep set, so no
 *    trace is found twice. The list only grows at its end, so who takes a branch knows all elders; it
 *    is taken only when it is known what they perform (ready).
 *  - A sequence that reverses a race below a branch is covered if an elder branch (asleep there) is a
 *    weak initial of it, or if the later branches have a path to a leaf that does: below a leaf the
 *    search is complete by itself. Otherwise it is appended. That a leaf covers stays true for ever, so
 *    looking needs no lock; only appending does, after looking again.
 *  - Inner nodes that are explored stay, since a worker further left may still insert there; with no
 *    one at work to the left of a node nothing can be inserted below it any more, and it is closed.
 *  - What is appended leads to a leaf where all that sleeps is woken: no execution is given up.
 *
 * The engines that keep sets of threads (backtrack.c) share states without inner nodes: a branch is a
 * thread to be tried, and a leaf at once. What they want is there if one of several threads is among the
 * branches of a state, whoever is first. Below such a leaf executions can be given up as redundant.
 *
 * Deaths: every change becomes valid with one store, in an order from which grove_died can undo what
 * was not finished; the same sequence found again is covered by what was inserted before. */
#ifndef EXPLORE_GROVE_H
#define EXPLORE_GROVE_H

#include "explore/dpor/reversal.h"
#include "explore/dpor/sleep.h"
#include "explore/dpor/wakeup.h"

#include <stdatomic.h>

enum { GROVE_MEMBERS = 64 };
#define GROVE_SIZE (8ull << 30) /* sparse */
#define GROVE_BASE (SHARED_BASE + SHARED_SIZE) /* where workers have it */

struct grove;

struct grove_stats {
    uint64_t taken, splits, inserted;
    uint64_t overlaps; /* leaves that had to be searched although others had part of them */
    uint32_t live; /* nodes */
};

/* With the whole search as the only leaf; what was there before is forgotten. */
void grove_init(struct grove *g, uint64_t memory); /* bytes that may be kept in it */
/* For n more nodes? If not, what was to be inserted is left out, and grove_full. */
bool grove_has_room(const struct grove *g, uint32_t n);
bool grove_full(const struct grove *g);
bool grove_finished(const struct grove *g);
struct grove_stats grove_stats(const struct grove *g);

/* Work. `commit` makes the worker's checkpoint valid; it is called with the lock held. `leaving` is the
 * leaf of the valid checkpoint (0: none), `at` the leaf that its execution has really been in (shorter
 * after grove_cut). */
struct grove_moves {
    int member;
    uint64_t runs; /* executions in the leaf */
    uint32_t leaving, at;
    void (*commit)(void *ctx, uint32_t leaf);
    void *ctx;
};
/* The leaf is done; returns the next one, near by if possible, or 0: there is none now. */
uint32_t grove_next(struct grove *g, const struct grove_moves *m);
/* The checkpoint is made to agree with `at`. */
void grove_move(struct grove *g, const struct grove_moves *m);

/* A leaf that nobody has been in, as an ITEM (trace/work.h); the whole search is one. */
#define GROVE_WHOLE 2u
void grove_item(struct work *out, uint32_t leaf);
bool grove_is_whole(const struct work *item);

/* Somebody waits for work, and there is none to be taken? */
bool grove_wants_split(const struct grove *g);
void grove_hungry(struct grove *g, int member, bool is);

/* A worker that only looks (share/tell.h) is gone: it may have held the lock. */
void grove_release(struct grove *g, int member);
/* The worker is gone; its valid checkpoint has this leaf. Others may be, too (`dead`). */
void grove_died(struct grove *g, int member, uint32_t leaf, bool (*dead)(void *ctx, int member),
                void *ctx);

/* The estimated fraction of the search that is done: what waits is taken to be as large as its siblings.
 * size(ctx, i, &done) is how many executions worker i expects in its leaf (0: it cannot say). -1 if the
 * lock cannot be had. */
double grove_fraction(struct grove *g, double (*size)(void *ctx, int member, double *done), void *ctx);

/* ---- for an engine: the way from the root to its leaf ---- */

struct grove_path {
    uint32_t *nodes; /* [step]: the branch taken */
    uint32_t count, leaf;
    uint32_t told; /* on a farm: the leaf as all know it */
    uint32_t executed; /* steps before it were performed by this worker */
    bool unsaid; /* on a farm: they performed what was expected, and that was not told yet */
    bool nothing; /* the thread of the last step could not go on there: nothing was performed */
};

/* The path to `leaf`; returns how many steps it has in common with the one before. */
uint32_t grove_path(const struct grove *g, struct grove_path *p, uint32_t leaf);
struct wakeup_step grove_step(const struct grove *g, uint32_t node);
/* In the state at `step` of the path: what elder branches perform goes to sleep. */
void grove_elders(const struct grove *g, const struct grove_path *p, struct sleep *s, uint32_t step);
/* Were the other values of the choice at `step` seen to already? */
bool grove_known(const struct grove *g, const struct grove_path *p, uint32_t step);
/* As wakeup_insert, at a state of the path. */
bool grove_insert(struct grove *g, int member, const struct grove_path *p, const struct happens *h,
                  struct reversal *r, uint32_t step, const struct wakeup_sleepers *s, uint32_t *settled);
/* Would it not grow? */
bool grove_covers(const struct grove *g, const struct grove_path *p, const struct happens *h,
                  struct reversal *r, uint32_t step, uint32_t *settled);
/* A thread to be tried at a state of the path, unless one of `any` is there: what it should perform, if that
 * is known (otherwise its kind is NONE), and whether that is certain. */
struct grove_thread {
    struct tset any;
    struct act act;
    bool certain;
};
bool grove_insert_thread(struct grove *g, int member, const struct grove_path *p, uint32_t step,
                         const struct grove_thread *t);
/* Is one of these among the branches of the state? */
bool grove_has_thread(const struct grove *g, const struct grove_path *p, uint32_t step,
                      const struct tset *any);
/* Will an item of a sequence perform what it says? */
bool grove_certain(const struct rev_item *it);
/* The program makes a choice at `step` that the path does not know of, since the sequence was made from
 * an execution with another value of the choice before: it takes this value first, and the rest of the
 * path follows. False: it cannot be done. */
bool grove_put_choice(struct grove *g, int member, struct grove_path *p, uint32_t step, int values,
                      int first);
/* The same where the change must be told first (share/tell.h): in the path there is no node for it until
 * grove_path is called again. */
bool grove_foresee_choice(const struct grove *g, struct grove_path *p, uint32_t step);
/* After an execution: what the steps up to `end` performed. False: it was known, and something else. */
bool grove_confirm(struct grove *g, int member, struct grove_path *p, const struct happens *h,
                   uint32_t end);
/* The path is left before its leaf: what can follow `step` of its steps is a leaf now. */
void grove_cut(const struct grove *g, struct grove_path *p, uint32_t step);

/* Splitting: the states from path->count to `last` become shared. */
struct grove_split {
    int member;
    struct grove_path *path;
    const struct wakeup *trees;
    uint32_t last, waiting; /* waiting: the list of what is to be explored from there */
    /* Of each of these steps what was taken, and what slept. */
    struct wakeup_step (*taken)(void *ctx, uint32_t step, bool *performed);
    const struct act *(*asleep)(void *ctx, uint32_t step, uint32_t *count);
    void *ctx;
    void (*commit)(void *ctx, uint32_t leaf);
    void *commit_ctx;
};
void grove_split(struct grove *g, const struct grove_split *s);

#endif
