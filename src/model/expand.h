/* The successors of a state under a reduction, as one batch: states packed one after the other,
 * each with the transition (full graph, POR) or the steps (BSRA) that lead to it, and the faults
 * met on the way. One expander per thread; it owns its buffers. */
#ifndef MODEL_EXPAND_H
#define MODEL_EXPAND_H

#include "model/step.h"

enum reduce { REDUCE_NONE, REDUCE_BSRA, REDUCE_BSRA_SLEEP, REDUCE_SRA, REDUCE_POR };

struct succ {
    uint32_t off; /* in bytes */
    uint16_t len;
    int16_t trans;          /* the one transition of the step, or -1 */
    uint32_t steps, nsteps; /* in expander.steps, if recorded */
    uint32_t sleep, nsleep; /* in expander.sleeps (bsra+sleep) */
};

struct fault_at {
    struct fault fault;
    uint32_t steps, nsteps; /* what leads to it; the last step is the faulty one */
};

struct compiled; /* model/gen.h */

struct expander {
    struct run run;
    enum reduce reduce;
    int record;                  /* keep the steps of every successor */
    const struct compiled *code; /* or NULL: interpret */
    VEC(uint8_t) bytes;
    VEC(struct succ) succs;
    step_list steps;
    VEC(uint8_t) sleeps;
    VEC(struct fault_at) faults;
    uint8_t *executed; /* per transition */
    int reduced;       /* POR: not all enabled transitions were taken */
    int enabled;       /* was any transition enabled? */
    int too_many;      /* BSRA: the product of choices is too large; succs are not all */
    uint64_t busy[2];  /* processes with a step (full graph) */
    step_list tmp;
    struct gstate work;
};

void expand_open(struct expander *x, const struct sys *s, enum reduce reduce);
void expand_close(struct expander *x);

/* Fills x->succs, x->faults, x->enabled … for g. */
void expand(struct expander *x, const struct gstate *g);
/* All enabled transitions, whatever the reduction. */
void expand_full(struct expander *x, const struct gstate *g);

/* Used by the reductions. */
void expand_reset(struct expander *x);
void expand_add(struct expander *x, const struct gstate *g, int trans, const struct model_step *steps,
                size_t nsteps);
void expand_fault(struct expander *x, const struct model_step *steps, size_t nsteps);
/* Executes st on a copy of g and adds the outcome. */
void expand_step(struct expander *x, const struct gstate *g, struct model_step st);

/* bsra.c; sleep: the sleep set of g (nsleep bytes), or NULL. */
void bsra_expand(struct expander *x, const struct gstate *g, const uint8_t *sleep, size_t nsleep);
/* por.c */
void por_expand(struct expander *x, const struct gstate *g);

#endif
