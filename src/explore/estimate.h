/* How large is the whole search? From the path under way (after Kilby, Slaney, Thiébaux, Walsh:
 * "Estimating search tree size", AAAI 2006, the recursive estimator): from the end of the execution
 * upwards, the size of what waits at a step follows from the alternatives finished there and the one
 * under way (whose size is estimated already). Later alternatives are smaller, since more sleeps: how
 * much is seen from those finished so far, and half of it is believed.
 *
 * Alternatives that nobody has thought of yet are missing, so early estimates are too small
 * (docs/performance.md has a table).
 * The spread is how far the estimate has moved since a quarter of the executions, and at least as large
 * as the estimate itself until the first alternative nearest to the root is finished. */
#ifndef EXPLORE_ESTIMATE_H
#define EXPLORE_ESTIMATE_H

#include "explore/engine.h"

enum { ESTIMATE_SAMPLES = 8, ESTIMATE_TINY = 8 };

/* Executions there had been when a state was first reached, and when what is explored from there now
 * was begun; how many there were of what was finished last. */
struct estimate_step {
    uint64_t entered, begun, last;
};

struct estimate {
    uint64_t executions;
    struct estimate_step *steps;
    double before, later; /* sums over alternatives and the one that followed each */
    uint16_t *finished; /* [step]: alternatives done with */
    double earlier[ESTIMATE_SAMPLES]; /* totals, the executions growing by a fifth from one to the next */
    uint32_t samples;
    uint64_t next_sample; /* executions */
    uint32_t base; /* steps before it are not ours: the estimate is for what lies below them */
};

/* What can be told of an estimate: nothing but "at least" before a twentieth is done and it has stopped
 * moving; then a range. What is left may be a few times smaller or larger than it looks (ESTIMATE_OFF:
 * tests/e2e/estimate.sh holds all of this against searches that came to their end). */
#define ESTIMATE_OFF 4

static inline bool estimate_known(double total, double spread, double done)
{
    return total > 0 && done > total / 20 && spread < total / 4;
}

/* Of a search that has not come to its end: never 100. */
static inline double estimate_percent(double fraction)
{
    return fraction < 0.99 ? 100 * fraction : 99;
}

static inline double estimate_least(double total, double spread, double done)
{
    double left = total - spread - done;
    return left > 0 ? done + left / ESTIMATE_OFF : done;
}

static inline double estimate_most(double total, double done)
{
    return total > done ? done + (total - done) * ESTIMATE_OFF : done;
}

int estimate_init(struct estimate *s, struct engine *e);

static inline void estimate_enter(struct estimate *s, uint32_t step)
{
    s->finished[step] = 0;
    s->steps[step] = (struct estimate_step){s->executions, s->executions, 0};
}

/* As of now so many are finished; how large they were is not known. */
static inline void estimate_set(struct estimate *s, uint32_t step, uint16_t finished)
{
    estimate_enter(s, step);
    s->finished[step] = finished;
}

/* The alternative under way at `step` is done with, another one follows. */
static inline void estimate_finish(struct estimate *s, uint32_t step)
{
    struct estimate_step *at = &s->steps[step];
    uint64_t size = s->executions - at->begun;
    if (at->last && at->last + size > ESTIMATE_TINY) {
        s->later += (double)size;
        s->before += (double)at->last;
    }
    s->finished[step] += s->finished[step] < UINT16_MAX;
    at->last = size;
    at->begun = s->executions;
}

/* Called before end() of the execution just run; `waiting(e, step)` counts the alternatives at a step
 * that were not begun. */
void estimate_now(struct estimate *s, const struct engine *e,
                  uint32_t (*waiting)(const struct engine *e, uint32_t step),
                  struct engine_estimate *out);

#endif
