/* Feeds a grove (explore/share/grove.h) by bytes: applies what workers tell (explore/share/tell.h). The same
 * records in the same order make the same grove everywhere, numbers of nodes included.
 *
 * Nothing is believed: a record names a leaf that its worker must have, and steps on the way to it. */
#ifndef FARM_FEED_H
#define FARM_FEED_H

#include "base/mem.h"
#include "explore/share/tell.h"

/* The leaves that one worker has. */
typedef VEC(uint32_t) feed_leaves;

/* Memory that is used again. */
struct feed {
    struct happens hb;
    struct reversal rev;
    uint32_t rooms; /* items */
    VEC(struct act) acts;
    VEC(struct act) fresh; /* of the record at hand: those it has in full */
    VEC(struct wakeup_node) nodes;
    VEC(uint32_t) path;
    /* Workers of this machine read the grove under its lock: one that died there has it no longer.
     * NULL: there are none. */
    bool (*dead)(void *ctx, int member);
    void *dead_ctx;
    uint32_t kept; /* after a split or cut: the leaf that the worker has instead; 0: there was none */
};

void feed_free(struct feed *f);

/* Applies TOLD; -1: not well-formed, what came before was applied. */
int feed_apply(struct feed *f, struct grove *g, feed_leaves *own, struct work *in);
/* The next leaves, which are to be explored in this order: up to `most`, as many as there are now. */
void feed_take(const struct feed *f, struct grove *g, feed_leaves *own, uint64_t most);
/* Is given up by its worker. */
void feed_give_back(struct grove *g, feed_leaves *own, uint32_t leaf);
bool feed_has(const feed_leaves *own, uint32_t leaf);
uint32_t feed_depth(const struct grove *g, uint32_t leaf); /* steps that lead to it */
/* Leaves that wait; that workers have. */
uint32_t feed_waiting(const struct grove *g);
uint32_t feed_out(const struct grove *g);

#endif
