/* The inside of rules.h, shared by building (rules_build.c) and asking (rules.c). */
#ifndef PAIRS_RULES_INTERNAL_H
#define PAIRS_RULES_INTERNAL_H

#include "pairs/rules.h"
#include "pairs/sat.h"

#define POOL_WORDS 4
#define POOL (64 * POOL_WORDS) /* remembered models per component */

struct atom {
    const struct pairs_expr *e;
    int negated;
};

struct rule {
    struct atom *atoms;
    int count;
    int *params, param_count;
    int lazy;
};

struct component {
    int *params, count;
    int *first_var; /* of each of its parameters */
    struct sat *sat;
    int *rules, rule_count; /* lazy ones */
    struct rules *owner;
    uint64_t (*pool)[POOL_WORDS]; /* per variable: which of the remembered models contain it */
    int16_t *models;
    int next_model, broken;
};

struct rules {
    const struct pairs_model *m;
    enum rules_mode mode;
    VEC(struct rule) rules;
    struct component *components;
    int component_count;
    int *component_of, *place; /* per parameter */
    int **touching, *touching_count;
    int16_t *row;
    sat_lit *assumptions;
    int n;
};

/* 0 false, 1 true, 2 open: see expr_truth. */
int rules_truth(const struct rules *r, const struct rule *rule, const int16_t *row);
int rules_has_negative(const struct pairs_model *m, int param);

#endif
