/* Tables, problems and bundles. A combination of parameters is wanted if it is a subset of the
 * right size of the default relation (all parameters, strength t) or of a group with a strength of
 * its own (section 4.5 of the dissertation: relations). A group with a lower strength exempts the
 * combinations that lie wholly inside it; a combination contained in a wanted larger one is left
 * out since covering the larger covers it. */
#include "pairs/space.h"

#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TUPLES 1000000000u

void table_init(struct table *t, int params)
{
    *t = (struct table){.width = params + 1};
}

int16_t *table_add(struct table *t)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cells = mem_realloc(t->cells, sizeof *t->cells * t->room * (size_t)t->width);
    }
    int16_t *row = table_row(t, t->count++);
    memset(row, 0xff, sizeof *row * (size_t)t->width);
    row[t->width - 1] = 0;
    return row;
}

void table_copy(struct table *to, const struct table *from)
{
    *to = *from;
    to->room = from->count ? from->count : 1;
    size_t bytes = sizeof *to->cells * to->room * (size_t)to->width;
    to->cells = mem_alloc(bytes);
    if (from->count)
        memcpy(to->cells, from->cells, bytes);
}

void table_remove(struct table *t, size_t i)
{
    ensure(i < t->count);
    t->count--;
    if (i != t->count)
        memcpy(table_row(t, i), table_row(t, t->count), sizeof *t->cells * (size_t)t->width);
}

void table_free(struct table *t)
{
    free(t->cells);
    t->cells = NULL;
    t->count = t->room = 0;
}

void problem_init(struct problem *p, const struct pairs_model *m, int strength,
                  enum rules_mode mode)
{
    *p = (struct problem){.m = m, .n = (int)m->params.count, .strength = strength, .mode = mode};
    int *levels = mem_alloc(sizeof(int) * (size_t)(p->n + 1));
    for (int i = 0; i < p->n; i++)
        levels[i] = m->params.items[i].count;
    levels[p->n] = 1;
    p->levels = levels;
    p->rules = rules_new(m, mode);
    for (int i = 0; i < p->n; i++)
        for (int v = 0; v < levels[i]; v++)
            p->has_negative |= m->params.items[i].values[v].negative;
    p->in_group = mem_alloc(m->relations.count * (size_t)p->n + 1);
    for (size_t r = 0; r < m->relations.count; r++) {
        const struct pairs_relation *rel = &m->relations.items[r];
        for (int i = 0; i < rel->count; i++)
            p->in_group[r * (size_t)p->n + (size_t)rel->params[i]] = 1;
        for (int i = 0; rel->anchor >= 0 && i < p->n; i++)
            p->in_group[r * (size_t)p->n + (size_t)i] = 1;
    }
}

void problem_free(struct problem *p)
{
    rules_free(p->rules);
    free((int *)p->levels);
    free(p->in_group);
    *p = (struct problem){0};
}

int problem_is_simple(const struct problem *p)
{
    if (p->m->relations.count || rules_any(p->rules) || p->mode != RULES_POSITIVE)
        return 0;
    for (int i = 0; i < p->n; i++)
        if (p->m->params.items[i].result)
            return 0;
    return 1;
}

/* ---- bundles ---- */

struct builder {
    struct bundle *b;
    const struct problem *p;
    const int *candidates; /* parameters that may go with the bundle's own */
    int candidate_count;
    int relation; /* -1: the default one */
    int size;     /* others per combination */
    int picked[PAIRS_MAX_STRENGTH];
    uint64_t tuples;
    size_t room;
};

static int relation_strength(const struct problem *p, size_t r)
{
    int s = p->m->relations.items[r].strength;
    return s ? s : p->strength;
}

static int all_in_group(const struct builder *w, size_t r)
{
    const unsigned char *in = w->p->in_group + r * (size_t)w->p->n;
    int all = in[w->b->param];
    for (int j = 0; j < w->size && all; j++)
        all = in[w->picked[j]];
    return all;
}

static int has_anchor(const struct builder *w, int anchor)
{
    int has = anchor < 0 || w->b->param == anchor;
    for (int j = 0; j < w->size && !has; j++)
        has = w->picked[j] == anchor;
    return has;
}

/* Is the picked combination exempt, or part of what another relation wants anyway? */
static int skip_combination(const struct builder *w)
{
    const struct problem *p = w->p;
    for (size_t r = 0; r < p->m->relations.count; r++) {
        const struct pairs_relation *rel = &p->m->relations.items[r];
        int s = relation_strength(p, r);
        if ((int)r == w->relation || !all_in_group(w, r) || !has_anchor(w, rel->anchor))
            continue;
        if (w->relation < 0 && rel->anchor < 0 && !rel->adds && s < w->size + 1)
            return 1;
        if (s > w->size + 1 && rel->anchor < 0)
            return 1;
        if (s == w->size + 1 && (w->relation < 0 || (int)r < w->relation))
            return 1;
    }
    return 0;
}

static void grow_bundle(struct builder *w)
{
    struct bundle *b = w->b;
    if ((size_t)b->count < w->room)
        return;
    w->room = w->room ? 2 * w->room : 64;
    b->base = mem_realloc(b->base, sizeof *b->base * w->room);
    b->own = mem_realloc(b->own, sizeof *b->own * w->room);
    b->stride = mem_realloc(b->stride, sizeof *b->stride * w->room * (size_t)b->width);
    b->other = mem_realloc(b->other, sizeof *b->other * w->room * (size_t)b->width);
}

static void add_combination(struct builder *w)
{
    struct bundle *b = w->b;
    if (w->p->m->relations.count && skip_combination(w))
        return;
    grow_bundle(w);
    int k = b->count++;
    uint64_t size = (uint64_t)w->p->levels[b->param];
    b->base[k] = (uint32_t)w->tuples;
    b->own[k] = 1;
    for (int j = b->width - 1; j >= 0; j--) {
        int real = j < w->size;
        b->other[k * b->width + j] = real ? w->picked[j] : w->p->n;
        b->stride[k * b->width + j] = real ? (uint32_t)size : 0;
        if (real)
            size *= (uint64_t)w->p->levels[w->picked[j]];
    }
    w->tuples += size;
}

static void pick(struct builder *w, int from, int depth)
{
    if (w->tuples > MAX_TUPLES)
        return;
    if (depth == w->size) {
        if (w->relation < 0 || has_anchor(w, w->p->m->relations.items[w->relation].anchor))
            add_combination(w);
        return;
    }
    for (int i = from; i <= w->candidate_count - (w->size - depth); i++) {
        w->picked[depth] = w->candidates[i];
        pick(w, i + 1, depth + 1);
    }
}

/* The members of a relation (-1: default) among order[0 … place-1]. */
static int candidates_of(const struct problem *p, int relation, const int *order, int place,
                         int *out)
{
    int n = 0;
    for (int i = 0; i < place; i++) {
        int q = order[i];
        if (relation < 0 ? !p->m->params.items[q].result
                         : p->in_group[(size_t)relation * (size_t)p->n + (size_t)q])
            out[n++] = q;
    }
    return n;
}

/* How many parameters a relation has altogether: a strength beyond that means all of them. */
static int relation_size(const struct problem *p, int relation)
{
    int n = 0;
    for (int q = 0; q < p->n; q++)
        n += relation < 0 ? !p->m->params.items[q].result
                          : p->in_group[(size_t)relation * (size_t)p->n + (size_t)q];
    return n;
}

/* Elementary symmetric polynomials of the domain sizes (and of ones), relation by relation. */
void problem_estimate(const struct problem *p, double *combinations, double *tuples)
{
    *combinations = *tuples = 0;
    for (int r = -1; r < (int)p->m->relations.count; r++) {
        double sizes[PAIRS_MAX_STRENGTH + 1] = {1}, ones[PAIRS_MAX_STRENGTH + 1] = {1};
        int strength = r < 0 ? p->strength : relation_strength(p, (size_t)r);
        int size = relation_size(p, r), anchor = r < 0 ? -1 : p->m->relations.items[r].anchor;
        for (int q = 0; q < p->n; q++) {
            int member = r < 0 ? !p->m->params.items[q].result
                               : p->in_group[(size_t)r * (size_t)p->n + (size_t)q];
            for (int t = PAIRS_MAX_STRENGTH; t > 0 && member; t--) {
                sizes[t] += sizes[t - 1] * p->levels[q];
                ones[t] += ones[t - 1];
            }
        }
        strength = strength < size ? strength : size;
        double share = anchor >= 0 && size ? (double)strength / size : 1;
        *combinations += ones[strength] * share;
        *tuples += sizes[strength] * share;
    }
}

int bundle_build(struct bundle *b, const struct problem *p, const int *order, int place)
{
    int param = order[place], widest = p->strength;
    *b = (struct bundle){.param = param};
    for (size_t r = 0; r < p->m->relations.count; r++)
        if (relation_strength(p, r) > widest)
            widest = relation_strength(p, r);
    b->width = widest > 1 ? widest - 1 : 1;
    int *candidates = mem_alloc(sizeof(int) * (size_t)(place + 1));
    struct builder w = {.b = b, .p = p, .candidates = candidates};
    for (int r = -1; r < (int)p->m->relations.count; r++) {
        int member = r < 0 ? !p->m->params.items[param].result
                           : p->in_group[(size_t)r * (size_t)p->n + (size_t)param];
        int strength = r < 0 ? p->strength : relation_strength(p, (size_t)r);
        int size = relation_size(p, r);
        w.relation = r;
        w.size = (strength < size ? strength : size) - 1;
        w.candidate_count = candidates_of(p, r, order, place, candidates);
        if (member && w.size <= w.candidate_count)
            pick(&w, 0, 0);
    }
    free(candidates);
    b->tuples = (size_t)w.tuples;
    return w.tuples > MAX_TUPLES ? -1 : 0;
}

void bundle_free(struct bundle *b)
{
    free(b->base);
    free(b->own);
    free(b->stride);
    free(b->other);
    *b = (struct bundle){0};
}

int bundle_wants(const struct bundle *b, const struct problem *p, int k, const int16_t *values)
{
    int negatives = p->m->params.items[b->param].values[values[b->width]].negative;
    for (int j = 0; j < b->width; j++) {
        int q = b->other[k * b->width + j];
        if (q < p->n)
            negatives += p->m->params.items[q].values[values[j]].negative;
    }
    return negatives == (p->mode == RULES_NEGATIVE);
}

int param_draw(const struct pairs_param *param, struct rng *rng)
{
    uint64_t sum = 0;
    for (int v = 0; v < param->count; v++)
        sum += param->values[v].negative ? 0 : (uint64_t)param->values[v].weight;
    uint64_t x = sum ? rng_next(rng) % sum : 0;
    for (int v = 0; v < param->count; v++) {
        uint64_t w = param->values[v].negative ? 0 : (uint64_t)param->values[v].weight;
        if (x < w)
            return v;
        x -= w;
    }
    return 0;
}
