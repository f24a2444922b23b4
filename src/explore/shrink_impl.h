/* What the parts of the engine `shrink` have in common: shrink.c, which leaves things out, and
 * shrink_runs.c, which moves them. */
#ifndef EXPLORE_SHRINK_IMPL_H
#define EXPLORE_SHRINK_IMPL_H

#include "explore/engine.h"
#include "explore/shrink_order.h"

enum phase { ORDER, POINTS, AVOID, VALUES, RUNS };
enum change { CUT, PULL, PUSH, DROP, CHANGES };

struct ran {
    uint16_t thread, branch, value;
    uint8_t preempts, first_value; /* of a branch: it takes its first value in the candidate under way */
};

struct cost {
    uint32_t preemptions, switches, values, steps;
};

/* Where a thread gave way to another: after `own` steps of its own. */
struct switch_point {
    uint32_t own;
    uint16_t to;
    uint8_t preempts, off;
    uint32_t next; /* of the same thread, UINT32_MAX = none */
};

struct shrink {
    struct ran *best, *now; /* executed steps with the thread of each branch */
    struct step *steps;     /* the best schedule as it is handed out */
    uint16_t *wanted;       /* threads of the candidate under way */
    uint32_t best_count, now_count, wanted_count, wanted_at;
    uint32_t *branch_at;    /* [thread]: where to look on in best for its next branch value */
    enum phase phase;
    struct shrink_order order;
    uint16_t *whole;      /* the order with all steps, while … */
    uint32_t whole_count; /* … it is to be tried */
    struct switch_point *points;   /* of the best schedule, in its order */
    uint32_t point_count, chunk, chunk_at;
    uint32_t *point_first, *point_at; /* [thread]: its first point, and the next one in this execution */
    uint32_t *own;          /* [thread]: steps it has made */
    int avoided;            /* thread that runs last, -1 = none */
    struct cost best_cost, now_cost;
    uint64_t seen;     /* sightings of the finding before this execution */
    uint32_t found_at; /* steps when the finding appeared, UINT32_MAX = not yet */
    uint32_t run;      /* the change under way: at which run, */
    uint32_t change;   /* which one, */
    uint32_t kept;     /* and what this pass has kept so far */
    uint64_t tries;
    int first; /* the first execution follows the given steps to the letter */
};

/* The next change of the list of runs (k->run, k->change) that makes sense, in `wanted`; 0: there is none. */
int shrink_next_change(struct shrink *k);

#endif
