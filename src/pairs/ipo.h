/* The In-Parameter-Order strategy (chapter 4 of the dissertation) and its t-way generalisation. */
#ifndef PAIRS_IPO_H
#define PAIRS_IPO_H

#include "pairs/space.h"

/* Tuples that no valid test contains, as they were met: values of a few parameters. */
struct impossible {
    int count; /* of parameters */
    int params[PAIRS_MAX_STRENGTH];
    int16_t values[PAIRS_MAX_STRENGTH];
};

struct impossible_list {
    struct impossible *items;
    size_t count, room;
};

struct ipo_options {
    const int *order; /* permutation of the parameters */
    struct rng *rng;  /* NULL: break ties by position */
    int in_order;     /* horizontal growth row by row, as IPO_H_IV does, not best row first */
    struct impossible_list *impossible; /* filled if not NULL */
    size_t limit;                       /* give up once the table has this many rows (0: never) */
};

/* Grows the table (which may hold tests already, with open cells) parameter by parameter until it
 * covers everything wanted. Rows are valid but may keep open cells. -1: too many tuples (e is set),
 * 1: gave up at the limit. */
int ipo_generate(const struct problem *p, struct table *t, const struct ipo_options *o,
                 struct error *e);

/* Gives every open cell a value (by weights where it is free) so that the rows are valid. */
void ipo_complete(const struct problem *p, struct table *t, struct rng *rng);

/* Parameters by number of values, largest first; ties shuffled if rng is given. */
void ipo_order(const struct problem *p, int *order, struct rng *rng);

#endif
