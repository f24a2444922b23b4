/* Around IPO: the order of the parameters before it, values for open cells after it. */
#include "pairs/ipo.h"

#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

void ipo_order(const struct problem *p, int *order, struct rng *rng)
{
    int n = p->n;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; rng && i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    int *sorted = mem_alloc(sizeof(int) * (size_t)(n + 1)), k = 0, most = 0;
    int *count = mem_alloc(sizeof(int) * (PAIRS_MAX_VALUES + 2));
    for (int i = 0; i < n; i++) {
        count[p->levels[i]]++;
        most = p->levels[i] > most ? p->levels[i] : most;
    }
    for (int d = most, at = 0; d >= 0; d--) { /* counting sort, stable */
        int c = count[d];
        count[d] = at;
        at += c;
    }
    for (; k < n; k++)
        sorted[count[p->levels[order[k]]]++] = order[k];
    memcpy(order, sorted, sizeof(int) * (size_t)n);
    free(sorted);
    free(count);
}

void ipo_complete(const struct problem *p, struct table *t, struct rng *rng)
{
    int16_t *wish = mem_alloc(sizeof *wish * (size_t)(p->n + 1));
    for (size_t r = 0; r < t->count; r++) {
        int16_t *row = table_row(t, r);
        int open = 0;
        for (int q = 0; q < p->n; q++) {
            wish[q] = row[q] < 0 ? (int16_t)param_draw(&p->m->params.items[q], rng) : row[q];
            open |= row[q] < 0;
        }
        if (!open)
            continue;
        int bad = rules_complete(p->rules, row, wish);
        ensure(!bad);
        for (int q = 0; q < p->n; q++)
            if (row[q] < 0)
                row[q] = wish[q];
    }
    free(wish);
}
