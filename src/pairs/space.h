/* What has to be covered: a problem is a model with a strength, its relations and its rules; a
 * bundle lists the combinations of parameters that contain one given parameter, laid out so that
 * the tuples of a row are a few multiply-adds away. A table holds the tests. */
#ifndef PAIRS_SPACE_H
#define PAIRS_SPACE_H

#include "base/rng.h"
#include "pairs/model.h"
#include "pairs/rules.h"

#include <stdint.h>

/* Tests: `count` rows of `width` cells; the cell after the last parameter is always 0 and stands in
 * for the parameters that a combination shorter than the longest lacks. The first `fixed` rows must
 * not be changed or removed. */
struct table {
    int16_t *cells;
    size_t count, room;
    int width;
    size_t fixed;
};

static inline int16_t *table_row(const struct table *t, size_t i)
{
    return t->cells + i * (size_t)t->width;
}
void table_init(struct table *t, int params);
int16_t *table_add(struct table *t); /* a new row, all open */
void table_copy(struct table *to, const struct table *from);
void table_remove(struct table *t, size_t i); /* the last row takes its place */
void table_free(struct table *t);

/* A value by the weights; base choices and single values are weightier. */
int param_draw(const struct pairs_param *param, struct rng *rng);

struct problem {
    const struct pairs_model *m;
    struct rules *rules;
    int n, strength;
    const int *levels;       /* number of values of each parameter */
    enum rules_mode mode;    /* RULES_NEGATIVE: only tuples with an invalid value are wanted */
    int has_negative;        /* some value is invalid */
    unsigned char *in_group; /* relations as bytes: in_group[r * n + p] */
};

void problem_init(struct problem *p, const struct pairs_model *m, int strength,
                  enum rules_mode mode);
void problem_free(struct problem *p);
/* About how many combinations of parameters and how many tuples are wanted. */
void problem_estimate(const struct problem *p, double *combinations, double *tuples);
int problem_is_simple(const struct problem *p); /* no relations, no rules: a plain covering array */

/* Combinations {param} + others. Tuple index of a row: base[k] + sum(stride[k*width + j] *
 * row[other[k*width + j]]) + own[k] * row[param]. */
struct bundle {
    int param, count, width;
    uint32_t *base, *own, *stride;
    int *other;
    size_t tuples; /* indices run from 0 to tuples-1 */
};

/* All wanted combinations whose last parameter in `order` (a permutation, cut off after `place`)
 * is order[place]; own strides are 1. Returns -1 if there are too many tuples for memory. */
int bundle_build(struct bundle *b, const struct problem *p, const int *order, int place);
void bundle_free(struct bundle *b);

/* Is tuple (combination k of b, values from idx) wanted in this mode? See problem.mode. */
int bundle_wants(const struct bundle *b, const struct problem *p, int k, const int16_t *values);

static inline size_t bundle_index(const struct bundle *b, int k, const int16_t *row)
{
    size_t at = b->base[k];
    for (int j = 0; j < b->width; j++)
        at += (size_t)b->stride[k * b->width + j] * (size_t)row[b->other[k * b->width + j]];
    return at;
}

#endif
