/* Coverage counts over all wanted combinations. Each combination has a block of counters indexed by
 * the values of its parameters in mixed radix; a view lists, for one parameter, all combinations
 * that contain it, so that the effect of changing one cell is a walk over that view. */
#include "pairs/cover.h"

#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int build_own(struct cover *c, size_t limit)
{
    int n = c->p->n, *order = mem_alloc(sizeof(int) * (size_t)(n + 1)), bad = 0;
    size_t total = 0, room = 0;
    struct bundle *own = &c->own;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int place = 0; place < n && !bad; place++) {
        struct bundle b;
        bad = bundle_build(&b, c->p, order, place) || total + b.tuples > limit;
        own->width = b.width + 1;
        size_t need = (size_t)(own->count + b.count);
        if (!bad && need > room) {
            room = 2 * need;
            own->base = mem_realloc(own->base, sizeof *own->base * room);
            own->other = mem_realloc(own->other, sizeof *own->other * room * (size_t)own->width);
            own->stride = mem_realloc(own->stride, sizeof *own->stride * room * (size_t)own->width);
        }
        for (int k = 0; !bad && k < b.count; k++, own->count++) {
            int *other = own->other + own->count * own->width;
            uint32_t *stride = own->stride + own->count * own->width;
            memcpy(other, b.other + k * b.width, sizeof *other * (size_t)b.width);
            memcpy(stride, b.stride + k * b.width, sizeof *stride * (size_t)b.width);
            other[b.width] = b.param;
            stride[b.width] = 1;
            own->base[own->count] = (uint32_t)(total + b.base[k]);
        }
        total += b.tuples;
        bundle_free(&b);
    }
    own->tuples = c->tuples = total;
    free(order);
    return bad ? -1 : 0;
}

static void view_room(struct bundle *v, int param, int count, int width)
{
    v->param = param;
    v->width = width;
    v->base = mem_alloc(sizeof *v->base * (size_t)(count + 1));
    v->own = mem_alloc(sizeof *v->own * (size_t)(count + 1));
    v->stride = mem_alloc(sizeof *v->stride * (size_t)(count * width + 1));
    v->other = mem_alloc(sizeof *v->other * (size_t)(count * width + 1));
}

static void build_views(struct cover *c)
{
    int n = c->p->n, w = c->own.width, *counts = mem_alloc(sizeof(int) * (size_t)(n + 1));
    c->views = mem_alloc(sizeof *c->views * (size_t)(n + 1));
    for (int i = 0; i < c->own.count * w; i++)
        counts[c->own.other[i]]++;
    for (int p = 0; p < n; p++)
        view_room(&c->views[p], p, counts[p], w - 1);
    for (int k = 0; k < c->own.count; k++)
        for (int j = 0; j < w; j++) {
            int p = c->own.other[k * w + j];
            if (p == n)
                continue;
            struct bundle *v = &c->views[p];
            int at = v->count++ * v->width;
            v->base[v->count - 1] = c->own.base[k];
            v->own[v->count - 1] = c->own.stride[k * w + j];
            for (int i = 0; i < w; i++)
                if (i != j) {
                    v->other[at] = c->own.other[k * w + i];
                    v->stride[at++] = c->own.stride[k * w + i];
                }
        }
    free(counts);
}

int cover_init(struct cover *c, const struct problem *p, const struct table *t, size_t limit)
{
    *c = (struct cover){.p = p};
    if (t->count > 65000 || build_own(c, limit)) {
        cover_free(c);
        return -1;
    }
    build_views(c);
    c->count = mem_alloc(sizeof *c->count * (c->tuples + 1));
    c->wanted = mem_alloc(c->tuples + 1);
    for (size_t r = 0; r < t->count; r++)
        cover_add(c, table_row(t, r));
    for (size_t i = 0; i < c->tuples; i++)
        c->wanted[i] = c->count[i] > 0;
    if (p->mode == RULES_NEGATIVE)
        for (size_t i = 0; i < c->tuples; i++)
            c->wanted[i] = 0;
    int16_t values[PAIRS_MAX_STRENGTH + 1];
    for (size_t r = 0; p->mode == RULES_NEGATIVE && r < t->count; r++)
        for (int k = 0; k < c->own.count; k++) {
            const int16_t *row = table_row(t, r);
            struct bundle one = c->own;
            one.width--;
            one.param = c->own.other[k * c->own.width + one.width];
            one.other = c->own.other + k * c->own.width;
            for (int j = 0; j <= one.width; j++)
                values[j] = row[one.other[j]];
            c->wanted[bundle_index(&c->own, k, row)] |=
                (unsigned char)bundle_wants(&one, p, 0, values);
        }
    c->uncovered = 0;
    return 0;
}

void cover_free(struct cover *c)
{
    for (int p = 0; c->views && p < c->p->n; p++)
        bundle_free(&c->views[p]);
    free(c->views);
    bundle_free(&c->own);
    free(c->count);
    free(c->wanted);
    *c = (struct cover){0};
}

void cover_add(struct cover *c, const int16_t *row)
{
    for (int k = 0; k < c->own.count; k++) {
        size_t at = bundle_index(&c->own, k, row);
        if (c->count[at]++ == 0)
            c->uncovered -= c->wanted[at];
    }
}

void cover_drop(struct cover *c, const int16_t *row)
{
    for (int k = 0; k < c->own.count; k++) {
        size_t at = bundle_index(&c->own, k, row);
        if (--c->count[at] == 0)
            c->uncovered += c->wanted[at];
    }
}

size_t cover_unique(const struct cover *c, const int16_t *row)
{
    size_t n = 0;
    for (int k = 0; k < c->own.count; k++) {
        size_t at = bundle_index(&c->own, k, row);
        n += c->count[at] == 1 && c->wanted[at];
    }
    return n;
}

/* ---- removing rows ---- */

/* Is the cell needed by a tuple that only this row covers? */
static int cell_needed(const struct cover *c, const int16_t *row, int q)
{
    const struct bundle *v = &c->views[q];
    for (int k = 0; k < v->count; k++) {
        size_t at = bundle_index(v, k, row) + (size_t)v->own[k] * (size_t)row[q];
        if (c->count[at] == 1 && c->wanted[at])
            return 1;
    }
    return 0;
}

void cover_reduce(struct cover *c, struct table *t)
{
    for (size_t r = t->count; r-- > t->fixed;)
        if (cover_unique(c, table_row(t, r)) == 0) {
            cover_drop(c, table_row(t, r));
            table_remove(t, r);
        }
    /* Merge: a row all of whose needed cells agree with another row's, or where that has none. */
    int n = c->p->n;
    for (size_t a = t->count; a-- > t->fixed;) {
        unsigned char *need_a = mem_alloc((size_t)n + 1);
        int16_t *ra = table_row(t, a), *merged = mem_alloc(sizeof *merged * (size_t)t->width);
        for (int q = 0; q < n; q++)
            need_a[q] = (unsigned char)cell_needed(c, ra, q);
        for (size_t b = t->fixed; b < a; b++) {
            int16_t *rb = table_row(t, b);
            int fits = 1;
            memcpy(merged, rb, sizeof *merged * (size_t)t->width);
            for (int q = 0; q < n && fits; q++)
                if (need_a[q] && rb[q] != ra[q]) {
                    fits = !cell_needed(c, rb, q);
                    merged[q] = ra[q];
                }
            if (!fits || !rules_hold(c->p->rules, merged, -1))
                continue;
            cover_drop(c, ra);
            cover_drop(c, rb);
            cover_add(c, merged);
            if (c->uncovered == 0) {
                memcpy(rb, merged, sizeof *merged * (size_t)t->width);
                table_remove(t, a);
                break;
            }
            cover_drop(c, merged);
            cover_add(c, rb);
            cover_add(c, ra);
        }
        free(need_a);
        free(merged);
    }
}

/* ---- ordering ---- */

struct waiting {
    size_t row, bound;
};

static void sift(struct waiting *heap, size_t n, size_t at)
{
    struct waiting x = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && (heap[child + 1].bound > heap[child].bound ||
                              (heap[child + 1].bound == heap[child].bound &&
                               heap[child + 1].row < heap[child].row)))
            child++;
        if (heap[child].bound < x.bound ||
            (heap[child].bound == x.bound && heap[child].row > x.row))
            break;
        heap[at] = heap[child];
    }
    heap[at] = x;
}

static size_t gain_of(const struct cover *c, const int16_t *row)
{
    size_t n = 0;
    for (int k = 0; k < c->own.count; k++) {
        size_t at = bundle_index(&c->own, k, row);
        n += c->count[at] == 0 && c->wanted[at];
    }
    return n;
}

void cover_order(struct cover *c, struct table *t, size_t *gains)
{
    size_t n = t->count - t->fixed, placed = 0;
    struct waiting *heap = mem_alloc(sizeof *heap * (n + 1));
    struct table out;
    table_copy(&out, t);
    memset(c->count, 0, sizeof *c->count * c->tuples);
    for (; placed < t->fixed; placed++) {
        if (gains)
            gains[placed] = gain_of(c, table_row(t, placed));
        cover_add(c, table_row(t, placed));
    }
    for (size_t i = 0; i < n; i++)
        heap[i] = (struct waiting){t->fixed + i, (size_t)c->own.count};
    while (n > 0) { /* lazy greedy: gains only shrink, an old one is an upper bound */
        const int16_t *row = table_row(t, heap[0].row);
        size_t gain = gain_of(c, row);
        if (gain < heap[0].bound) {
            heap[0].bound = gain;
            sift(heap, n, 0);
            continue;
        }
        memcpy(table_row(&out, placed), row, sizeof *row * (size_t)t->width);
        if (gains)
            gains[placed] = gain;
        placed++;
        cover_add(c, row);
        heap[0] = heap[--n];
        sift(heap, n, 0);
    }
    table_free(t);
    *t = out;
    free(heap);
    c->uncovered = 0;
}

/* ---- weights ---- */

static int weighted_pick(const struct pairs_param *param, struct rng *rng)
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

static void change_cell(struct cover *c, int16_t *row, int q, int value)
{
    const struct bundle *v = &c->views[q];
    for (int k = 0; k < v->count; k++) {
        size_t at = bundle_index(v, k, row);
        size_t from = at + (size_t)v->own[k] * (size_t)row[q], to = at + (size_t)v->own[k] * (size_t)value;
        if (--c->count[from] == 0)
            c->uncovered += c->wanted[from];
        if (c->count[to]++ == 0)
            c->uncovered -= c->wanted[to];
    }
    row[q] = (int16_t)value;
}

void cover_reweigh(struct cover *c, struct table *t, struct rng *rng)
{
    for (size_t r = t->fixed; r < t->count; r++) {
        int16_t *row = table_row(t, r);
        for (int q = 0; q < c->p->n; q++) {
            const struct pairs_param *param = &c->p->m->params.items[q];
            if (param->values[row[q]].negative || cell_needed(c, row, q))
                continue;
            int old = row[q], value = weighted_pick(param, rng);
            if (value == old)
                continue;
            row[q] = (int16_t)value;
            int ok = rules_hold(c->p->rules, row, q);
            row[q] = (int16_t)old;
            if (ok)
                change_cell(c, row, q, value);
        }
    }
}
