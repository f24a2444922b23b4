/* How large is the whole search? Knuth's estimate on the path under way: if at step i f_i of the n_i
 * alternatives known so far are finished, the fraction of the tree behind us is
 *     sum over i of  f_i / n_i * product over j < i of 1 / n_j,
 * every alternative taken to be as large as its siblings. The total follows from the number of
 * executions so far. Subtrees can differ by orders of magnitude, and the estimate then moves slowly:
 * the spread is how far it is from what it was at any time since a quarter of the executions. */
#ifndef EXPLORE_ESTIMATE_H
#define EXPLORE_ESTIMATE_H

#include "explore/engine.h"

enum { ESTIMATE_SAMPLES = 8 };

struct estimate {
    uint64_t executions;
    uint16_t *finished; /* [step]: alternatives done with */
    double earlier[ESTIMATE_SAMPLES]; /* totals, the executions growing by a fifth from one to the next */
    uint32_t samples;
    uint64_t next_sample; /* executions */
    uint32_t base; /* steps before it are not ours: the estimate is for what lies below them */
};

int estimate_init(struct estimate *s, struct engine *e);

static inline void estimate_enter(struct estimate *s, uint32_t step)
{
    s->finished[step] = 0;
}

/* The alternative under way at `step` is done with, another one follows. */
static inline void estimate_finish(struct estimate *s, uint32_t step)
{
    s->finished[step] += s->finished[step] < UINT16_MAX;
}

/* Called before end() of the execution just run; `waiting(e, step)` counts the alternatives at a step
 * that were not begun. */
void estimate_now(struct estimate *s, const struct engine *e,
                  uint32_t (*waiting)(const struct engine *e, uint32_t step),
                  struct engine_estimate *out);

#endif
