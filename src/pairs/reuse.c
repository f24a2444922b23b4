/* Reuse of tests (sections 4.3.1 and 4.6 of the dissertation). A test that the constraints no
 * longer allow keeps as many of its cells as they permit, in the order of the parameters; the rest
 * is left open for the generator. Base choices (Ammann, Offutt 1994): one test has the base value
 * of every parameter, and for each other value of each parameter there is a test that differs from
 * it there only, or where constraints forbid that, as little as greed manages. */
#include "pairs/reuse.h"

#include <stdlib.h>
#include <string.h>

static int count_negatives(const struct problem *p, const int16_t *row)
{
    int n = 0;
    for (int q = 0; q < p->n; q++)
        n += row[q] >= 0 && p->m->params.items[q].values[row[q]].negative;
    return n;
}

/* Copies the row cell by cell as far as the constraints allow, `first` before all others (unless
 * negative); returns the number of cells left out, -1 if `first` itself is impossible. */
static int adapt(const struct problem *p, const int16_t *from, int16_t *to, int first)
{
    int dropped = 0;
    for (int i = -1; i < p->n; i++) {
        int q = i < 0 ? first : i;
        if (q < 0 || to[q] >= 0 || from[q] < 0)
            continue;
        to[q] = from[q];
        if (rules_extendable(p->rules, to, q))
            continue;
        to[q] = PAIRS_NONE;
        dropped++;
        if (i < 0)
            return -1;
    }
    return dropped;
}

static void reuse_seeds(const struct problem *p, const struct table *seeds, struct pairs_result *r,
                        struct table *t)
{
    for (size_t i = 0; i < seeds->count; i++) {
        const int16_t *seed = table_row(seeds, i);
        int negatives = count_negatives(p, seed);
        if ((negatives > 0) != (p->mode == RULES_NEGATIVE))
            continue;
        int dropped = adapt(p, seed, table_add(t), -1);
        if (dropped)
            r->seeds_adapted++;
        else
            r->seeds_kept++;
    }
}

static int is_new(const struct table *t, const int16_t *row)
{
    for (size_t i = 0; i < t->count; i++)
        if (table_row(t, i) != row && !memcmp(table_row(t, i), row, sizeof *row * (size_t)t->width))
            return 0;
    return 1;
}

static void add_base_test(const struct problem *p, struct table *t, const int16_t *base, int param,
                          int value)
{
    int16_t *wish = mem_alloc(sizeof *wish * (size_t)t->width);
    memcpy(wish, base, sizeof *wish * (size_t)t->width);
    if (param >= 0)
        wish[param] = (int16_t)value;
    int16_t *row = table_add(t);
    if (adapt(p, wish, row, param) < 0 || rules_complete(p->rules, row, wish) || !is_new(t, row))
        t->count--;
    free(wish);
}

static void reuse_base(const struct problem *p, struct table *t)
{
    int16_t *base = mem_alloc(sizeof *base * (size_t)t->width);
    for (int q = 0; q < p->n; q++)
        base[q] = (int16_t)p->m->params.items[q].base;
    if (p->mode == RULES_POSITIVE)
        add_base_test(p, t, base, -1, 0);
    for (int q = 0; q < p->n; q++)
        for (int v = 0; v < p->levels[q]; v++) {
            int negative = p->m->params.items[q].values[v].negative;
            if (v != base[q] && negative == (p->mode == RULES_NEGATIVE))
                add_base_test(p, t, base, q, v);
        }
    free(base);
}

void reuse_tests(const struct problem *p, const struct pairs_options *o, struct pairs_result *r,
                 struct table *t)
{
    if (o->base)
        reuse_base(p, t);
    if (o->seeds)
        reuse_seeds(p, o->seeds, r, t);
    t->fixed = t->count;
}
