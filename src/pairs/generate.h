/* From a model to a set of tests: the strategies, the optimiser, reuse of existing tests. */
#ifndef PAIRS_GENERATE_H
#define PAIRS_GENERATE_H

#include "pairs/ipo.h"
#include "pairs/model.h"

struct pairs_options {
    int strength; /* t, 1 … 6 */
    uint64_t seed;
    int figures;               /* the dissertation's IPO as printed and nothing else */
    int plain_ipo;             /* one IPOG and nothing else */
    int exact;                 /* its IPO_H_EC for horizontal growth */
    int base;                  /* base-choice tests first */
    double optimize;           /* seconds to spend on shrinking; 0: the short default polish */
    int keep_order;            /* do not reorder by coverage */
    const struct table *seeds; /* existing tests to keep, open cells allowed; may be NULL */
    volatile int *stop;        /* set to nonzero to end the optimisation early; may be NULL */
    void (*tell)(void *context, size_t tests, size_t uncovered, size_t bound);
    void *context;
};

struct pairs_result {
    struct table tests;
    size_t *gains; /* tuples first covered by each test; NULL if not ordered */
    struct impossible_list impossible;
    size_t tuples; /* wanted and possible; 0 if not counted */
    size_t lower_bound;
    size_t seeds_kept, seeds_adapted; /* tests taken over as they were / with changes */
    size_t negative_tests;            /* the last ones: tests with one invalid value */
};

/* 0, or -1 with e filled: status EXIT_BUG if no test can satisfy the constraints. */
int pairs_generate(const struct pairs_model *m, const struct pairs_options *o,
                   struct pairs_result *r, struct error *e);
void pairs_result_free(struct pairs_result *r);

#endif
