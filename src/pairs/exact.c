/* IPO_H_EC, figure 4.3. A permutation gives each test a value of the new parameter; its weight is
 * the number of tests that IPO_V must then add: the sum over the values u of the largest number of
 * pairs that u misses with one other parameter. Permutations that differ only in the names of the
 * values have the same weight (theorem 4.4.1), so one of each class is tried: a value may be used
 * for the first time only after all smaller ones (theorem 4.4.4). The classes are walked depth
 * first; since one more test lowers the weight by at most one, a branch is cut when its weight
 * minus the tests left is no better than the best permutation so far. Open cells of a test take
 * the first value that is missing, as function mark does. */
#include "pairs/exact.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 200000000L

struct exact_search {
    const struct problem *p;
    const struct table *t;
    int place; /* parameters before it are done */
    const int *order;
    int d, most;            /* values of the new parameter, of any before it */
    unsigned char *covered; /* [u][place][w] */
    int *missing;           /* [u][place] */
    int16_t *now, *best;
    int best_weight;
    long nodes;
};

static unsigned char *pair_at(struct exact_search *s, int u, int m, int w)
{
    return &s->covered[((size_t)u * (size_t)s->place + (size_t)m) * (size_t)s->most + (size_t)w];
}

static int weight_of_value(const struct exact_search *s, int u)
{
    int most = 0;
    for (int m = 0; m < s->place; m++)
        if (s->missing[u * s->place + m] > most)
            most = s->missing[u * s->place + m];
    return most;
}

/* Covers the pairs of row r with value u; newly[m] is the value covered with parameter m or -1. */
static void cover_row(struct exact_search *s, size_t r, int u, int16_t *newly)
{
    const int16_t *row = table_row(s->t, r);
    for (int m = 0; m < s->place; m++) {
        int w = row[s->order[m]];
        for (int x = 0; w < 0 && x < s->p->levels[s->order[m]]; x++)
            if (!*pair_at(s, u, m, x))
                w = x;
        newly[m] = -1;
        if (w < 0 || *pair_at(s, u, m, w))
            continue;
        *pair_at(s, u, m, w) = 1;
        s->missing[u * s->place + m]--;
        newly[m] = (int16_t)w;
    }
}

static void uncover_row(struct exact_search *s, int u, const int16_t *newly)
{
    for (int m = 0; m < s->place; m++)
        if (newly[m] >= 0) {
            *pair_at(s, u, m, newly[m]) = 0;
            s->missing[u * s->place + m]++;
        }
}

static void walk(struct exact_search *s, size_t r, int used, int weight)
{
    if (weight - (int)(s->t->count - r) >= s->best_weight || s->nodes > MAX_NODES)
        return;
    s->nodes++;
    if (r == s->t->count) {
        s->best_weight = weight;
        memcpy(s->best, s->now, sizeof *s->best * s->t->count);
        return;
    }
    int16_t *newly = mem_alloc(sizeof *newly * (size_t)(s->place + 1));
    for (int u = 0; u <= used && u < s->d; u++) {
        int before = weight_of_value(s, u);
        cover_row(s, r, u, newly);
        s->now[r] = (int16_t)u;
        walk(s, r + 1, u == used ? used + 1 : used, weight - before + weight_of_value(s, u));
        uncover_row(s, u, newly);
    }
    free(newly);
}

/* Applies the best permutation, then IPO_V. */
static void apply(struct exact_search *s, struct table *t)
{
    int param = s->order[s->place];
    int16_t *newly = mem_alloc(sizeof *newly * (size_t)(s->place + 1));
    size_t rows = t->count;
    for (size_t r = 0; r < rows; r++) {
        cover_row(s, r, s->best[r], newly);
        table_row(t, r)[param] = s->best[r];
        for (int m = 0; m < s->place; m++)
            if (table_row(t, r)[s->order[m]] < 0 && newly[m] >= 0)
                table_row(t, r)[s->order[m]] = newly[m];
    }
    for (int u = 0; u < s->d; u++) {
        size_t first = t->count;
        for (int m = 0; m < s->place; m++) {
            size_t next = first;
            for (int w = 0; w < s->p->levels[s->order[m]]; w++) {
                if (*pair_at(s, u, m, w))
                    continue;
                if (next == t->count)
                    table_add(t)[param] = (int16_t)u;
                table_row(t, next++)[s->order[m]] = (int16_t)w;
            }
        }
    }
    free(newly);
}

static int add_parameter(const struct problem *p, struct table *t, const int *order, int place)
{
    struct exact_search s = {.p = p, .t = t, .order = order, .place = place};
    s.d = p->levels[order[place]];
    for (int m = 0; m < place; m++)
        s.most = p->levels[order[m]] > s.most ? p->levels[order[m]] : s.most;
    s.covered = mem_alloc((size_t)s.d * (size_t)place * (size_t)s.most + 1);
    s.missing = mem_alloc(sizeof(int) * ((size_t)s.d * (size_t)place + 1));
    s.now = mem_alloc(sizeof *s.now * (t->count + 1));
    s.best = mem_alloc(sizeof *s.best * (t->count + 1));
    for (int i = 0; i < s.d * place; i++)
        s.missing[i] = p->levels[order[i % place]];
    int weight = 0;
    for (int u = 0; u < s.d; u++)
        weight += weight_of_value(&s, u);
    s.best_weight = weight + 1;
    walk(&s, 0, 0, weight);
    int too_long = s.nodes > MAX_NODES;
    if (!too_long)
        apply(&s, t);
    free(s.covered);
    free(s.missing);
    free(s.now);
    free(s.best);
    return too_long ? -1 : 0;
}

int exact_generate(const struct problem *p, struct table *t, struct error *e)
{
    if (p->strength != 2 || !problem_is_simple(p) || t->count)
        return error_set(e, EXIT_USAGE,
                         "--exact is for pairs (-t 2) without constraints, groups, "
                         "negative values or existing tests");
    int *order = mem_alloc(sizeof(int) * (size_t)(p->n + 1)), bad = 0;
    for (int i = 0; i < p->n; i++)
        order[i] = i;
    for (int v = 0; v < p->levels[order[0]]; v++)
        table_add(t)[order[0]] = (int16_t)v;
    for (int place = 1; place < p->n && !bad; place++)
        bad = add_parameter(p, t, order, place);
    free(order);
    if (!bad)
        return 0;
    error_set(e, EXIT_USAGE, "--exact: the equivalence classes of this model are too many to walk");
    return error_todo(e, "leave --exact out, or use --optimize");
}
