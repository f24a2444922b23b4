/* The portion of a search that this worker owns when several share it (-j N, a farm): what lies below its
 * leaf of the grove (explore/share/grove.h). The first `base` steps lead there; what is to be explored from
 * their states is in the grove, and what belongs to them is inserted there. What lies below is the engine's
 * alone; part of it can be given away, which makes the steps down to it shared too.
 *
 * An engine says where it keeps things (struct portion_view), and the rest is done here. */
#ifndef EXPLORE_PORTION_H
#define EXPLORE_PORTION_H

#include "explore/estimate.h"
#include "explore/share/tell.h"
#include "trace/work.h"

struct portion {
    struct grove_path path; /* the steps whose states are shared */
    uint32_t base; /* how many; more than the path has: a split that all do not know of yet */
    bool left;  /* in this execution the path was left before its leaf */
    bool stale; /* the path has changed, and must be looked up when all know of it */
};

/* What an engine lends for it. Of what is not needed NULL. */
struct portion_view {
    struct engine *engine;
    struct portion *portion;
    struct happens *hb;
    struct sleep *sleep;
    struct estimate *estimate;
    struct tset *enabled;
    uint64_t runs; /* executions below the leaf */
    const struct act *expected; /* of the last step of the prefix, if that was not performed yet */
    struct wakeup *trees;
    /* What is to be explored from the state at the step beside what is under way, as a list in `trees`; 0:
     * nothing. And: others have it now. */
    uint32_t (*offer)(struct engine *e, uint32_t step);
    void (*given)(struct engine *e, uint32_t step);
    /* What elder branches of the state at the step performed; NULL: what sleeps there. */
    const struct act *(*elders)(struct engine *e, uint32_t step, uint32_t *count);
    /* The next execution follows the path to this step: what it should perform there. */
    void (*expect)(struct engine *e, const struct wakeup_step *n);
    void (*put_list)(const struct engine *e, uint32_t step, struct work *w);
    void (*get_list)(struct engine *e, uint32_t step, struct work *w);
    void (*put_done)(const struct engine *e, uint32_t step, struct work *w);
    void (*get_done)(struct engine *e, uint32_t step, struct work *w);
    void (*put_next)(const struct engine *e, struct work *w);
    void (*get_next)(struct engine *e, struct work *w);
};

int portion_init(struct portion *p, struct engine *e);

/* ---- for an engine ---- */

/* The path is left before its leaf: what can follow this step of it is the engine's alone. */
void portion_cut(const struct portion_view *v, uint32_t step);
/* A thread to be tried at a step of the path. */
void portion_try(struct engine *e, struct portion *p, uint32_t step, const struct grove_thread *t);
/* After an execution: what the steps of the path performed. */
void portion_confirm(const struct portion_view *v);
/* There is another execution: what all must know for it. */
void portion_place(const struct portion_view *v);
/* engine_class.save, adopt. */
int portion_save(const struct portion_view *v, struct work *out);
int portion_adopt(const struct portion_view *v, struct work *in);

/* ---- for the runtime, between two executions ---- */

/* The leaf it is in; 0: it must hear first what that is called now. */
uint32_t portion_leaf(const struct portion_view *v);
void portion_leave(const struct portion_view *v); /* for good: nothing of the path will be used again */
/* Gives part of it away, with `commit` called as in grove_split: 1; or 0. */
int portion_grow(const struct portion_view *v, void (*commit)(void *ctx, uint32_t leaf), void *ctx);
/* On a farm: nothing is left of it; and the answer to what was told of it, 0; or -1. */
void portion_done(const struct portion_view *v);
int portion_learn(const struct portion_view *v, struct work *in);

#endif
