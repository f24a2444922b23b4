/* Coverage counts over all wanted combinations. Each combination has a block of counters indexed by
 * the values of its parameters in mixed radix; a view lists, for one parameter, all combinations
 * that contain it, so that the effect of changing one cell is a walk over that view. */
#include "pairs/cover.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MERGE_WORK 4e9 /* cells: merging looks at every pair of rows */

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
    double combinations, tuples;
    *c = (struct cover){.p = p};
    problem_estimate(p, &combinations, &tuples);
    if (tuples > 2.0 * (double)limit || t->count > 65000 || build_own(c, limit)) {
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

/* Which cells of a row are needed by a tuple that only it covers. */
static void mark_needed(const struct cover *c, const int16_t *row, unsigned char *need)
{
    for (int q = 0; q < c->p->n; q++)
        need[q] = (unsigned char)cell_needed(c, row, q);
}

/* Puts row a into row b, which takes over the cells that a needs; undone if something is lost. */
static int merge_rows(struct cover *c, struct table *t, size_t a, size_t b,
                      const unsigned char *need_a, int16_t *merged)
{
    int16_t *ra = table_row(t, a), *rb = table_row(t, b);
    size_t bytes = sizeof *merged * (size_t)t->width;
    memcpy(merged, rb, bytes);
    for (int q = 0; q < c->p->n; q++)
        if (need_a[q])
            merged[q] = ra[q];
    if (!rules_hold(c->p->rules, merged, -1))
        return 0;
    cover_drop(c, ra);
    cover_drop(c, rb);
    cover_add(c, merged);
    if (c->uncovered == 0) {
        memcpy(rb, merged, bytes);
        return 1;
    }
    cover_drop(c, merged);
    cover_add(c, rb);
    cover_add(c, ra);
    return 0;
}

static int may_merge(const int16_t *ra, const unsigned char *need_a, const int16_t *rb,
                     const unsigned char *need_b, int n)
{
    for (int q = 0; q < n; q++)
        if (need_a[q] && need_b[q] && ra[q] != rb[q])
            return 0;
    return 1;
}

static void merge_all(struct cover *c, struct table *t)
{
    size_t n = (size_t)c->p->n;
    unsigned char *need = mem_alloc(n * t->count + 1);
    int16_t *merged = mem_alloc(sizeof *merged * (size_t)t->width);
    for (size_t r = t->fixed; r < t->count; r++)
        mark_needed(c, table_row(t, r), need + r * n);
    for (size_t a = t->count; a-- > t->fixed;)
        for (size_t b = t->fixed; b < a; b++) {
            if (!may_merge(table_row(t, a), need + a * n, table_row(t, b), need + b * n, (int)n) ||
                !merge_rows(c, t, a, b, need + a * n, merged))
                continue;
            mark_needed(c, table_row(t, b), need + b * n);
            table_remove(t, a);
            memcpy(need + a * n, need + t->count * n, n);
            break;
        }
    free(need);
    free(merged);
}

void cover_reduce(struct cover *c, struct table *t)
{
    for (size_t r = t->count; r-- > t->fixed;)
        if (cover_unique(c, table_row(t, r)) == 0) {
            cover_drop(c, table_row(t, r));
            table_remove(t, r);
        }
    if ((double)t->count * (double)t->count * c->p->n < MAX_MERGE_WORK)
        merge_all(c, t);
}

/* ---- ordering ---- */

/* Which rows contain each tuple, so that the gains of rows follow when a tuple becomes covered:
 * every (row, tuple) is visited once. rows[first[i] … first[i+1]) contain tuple i. */
struct inverted {
    uint32_t *first, *rows;
};

static struct inverted invert(const struct cover *c, const struct table *t)
{
    struct inverted x;
    x.first = mem_alloc(sizeof *x.first * (c->tuples + 2));
    x.rows = mem_alloc(sizeof *x.rows * (t->count * (size_t)c->own.count + 1));
    for (size_t i = 0; i < c->tuples; i++)
        x.first[i + 2] = x.first[i + 1] + c->count[i];
    for (size_t r = 0; r < t->count; r++)
        for (int k = 0; k < c->own.count; k++)
            x.rows[x.first[bundle_index(&c->own, k, table_row(t, r)) + 1]++] = (uint32_t)r;
    return x;
}

/* Rows wait in lists by gain; a row whose gain has shrunk moves when it comes up. */
struct cover_queue {
    size_t *gain;
    uint32_t *next, *head; /* rows + 1 */
    size_t top;
};

static void enqueue(struct cover_queue *q, size_t row)
{
    q->next[row] = q->head[q->gain[row]];
    q->head[q->gain[row]] = (uint32_t)row + 1;
}

static size_t dequeue(struct cover_queue *q)
{
    for (;;) {
        while (!q->head[q->top])
            q->top--;
        size_t row = q->head[q->top] - 1;
        q->head[q->top] = q->next[row];
        if (q->gain[row] == q->top)
            return row;
        enqueue(q, row);
    }
}

static void mark_covered(struct cover *c, const struct inverted *x, const int16_t *row,
                         size_t *gain)
{
    for (int k = 0; k < c->own.count; k++) {
        size_t at = bundle_index(&c->own, k, row);
        if (c->count[at]++ || !c->wanted[at])
            continue;
        for (uint32_t i = x->first[at]; i < x->first[at + 1]; i++)
            gain[x->rows[i]]--;
    }
}

void cover_order(struct cover *c, struct table *t, size_t *gains)
{
    struct inverted x = invert(c, t);
    struct cover_queue q = {.top = (size_t)c->own.count};
    struct table out;
    q.gain = mem_alloc(sizeof *q.gain * (t->count + 1));
    q.next = mem_alloc(sizeof *q.next * (t->count + 1));
    q.head = mem_alloc(sizeof *q.head * (q.top + 1));
    for (size_t r = 0; r < t->count; r++)
        for (int k = 0; k < c->own.count; k++)
            q.gain[r] += c->wanted[bundle_index(&c->own, k, table_row(t, r))];
    memset(c->count, 0, sizeof *c->count * c->tuples);
    table_copy(&out, t);
    for (size_t r = t->count; r-- > t->fixed;)
        enqueue(&q, r);
    for (size_t i = 0; i < t->count; i++) {
        size_t r = i < t->fixed ? i : dequeue(&q);
        memcpy(table_row(&out, i), table_row(t, r), sizeof *t->cells * (size_t)t->width);
        if (gains)
            gains[i] = q.gain[r];
        mark_covered(c, &x, table_row(t, r), q.gain);
    }
    table_free(t);
    *t = out;
    free(x.first);
    free(x.rows);
    free(q.gain);
    free(q.next);
    free(q.head);
    c->uncovered = 0;
}

/* ---- weights ---- */

static void change_cell(struct cover *c, int16_t *row, int q, int value)
{
    const struct bundle *v = &c->views[q];
    for (int k = 0; k < v->count; k++) {
        size_t at = bundle_index(v, k, row);
        size_t from = at + (size_t)v->own[k] * (size_t)row[q],
               to = at + (size_t)v->own[k] * (size_t)value;
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
            int old = row[q], value = param_draw(param, rng);
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
