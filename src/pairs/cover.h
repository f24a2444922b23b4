/* How often each wanted tuple is covered by a table of complete rows: for ordering, removing and
 * optimising tests. Counts are kept while rows come, go and change. */
#ifndef PAIRS_COVER_H
#define PAIRS_COVER_H

#include "pairs/space.h"

struct cover {
    const struct problem *p;
    size_t tuples;
    uint16_t *count;       /* per tuple; saturates never: at most 65535 rows */
    unsigned char *wanted; /* per tuple: possible and asked for */
    struct bundle *views;  /* per parameter: all combinations that contain it */
    struct bundle own;     /* every combination once: base and the parameters, width = longest */
    size_t uncovered;      /* wanted tuples with count 0 */
};

/* Counts the rows of a table that covers everything possible: what it does not cover is not
 * wanted. Returns -1 if there are too many tuples or rows (limit: the most tuples to accept). */
int cover_init(struct cover *c, const struct problem *p, const struct table *t, size_t limit);
void cover_free(struct cover *c);

void cover_add(struct cover *c, const int16_t *row);
void cover_drop(struct cover *c, const int16_t *row);

/* Wanted tuples of the row that nothing else covers (count 1). */
size_t cover_unique(const struct cover *c, const int16_t *row);

/* Removes rows that are not needed (never the fixed ones), then merges pairs of rows where don't
 * cares allow it. The table stays complete. */
void cover_reduce(struct cover *c, struct table *t);

/* Reorders rows after the fixed ones so that every prefix covers as much as greed can. gains[i] is
 * then the number of wanted tuples that row i covers first (may be NULL). */
void cover_order(struct cover *c, struct table *t, size_t *gains);

/* Gives cells that no tuple needs a value by weights, keeping the rows valid. */
struct rng;
void cover_reweigh(struct cover *c, struct table *t, struct rng *rng);

#endif
