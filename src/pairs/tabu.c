/* Tabu search for covering arrays (Nurmela 2004; with constraints Lin et al., "TCA", 2015). One row
 * is taken away; then, as long as tuples are uncovered, one of them is chosen at random and put
 * into the row where that does least damage: first among the rows that lack only one of its values
 * (the change of one cell), else in any row, which the solver repairs if constraints object. The
 * cell just changed may not be changed back for a few moves unless that beats everything so far.
 * When all is covered again the table is one row smaller and the search goes on from there. */
#include "pairs/tabu.h"

#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_WORK 300000 /* look-ups to find a row to take away */

struct tabu {
    struct cover *c;
    struct table now; /* the table being worked on */
    struct rng *rng;
    const struct tabu_options *o;
    uint32_t *list, *place; /* uncovered tuples, and where each stands in the list + 1 */
    size_t listed;
    uint64_t *until; /* per cell: the move before which it must not change */
    uint64_t move, work, checked;
    long best_uncovered;
    int16_t *spare;
};

struct tabu_candidate {
    size_t row;
    int param;
    int16_t value;
    long delta;
};

static void list_add(struct tabu *s, size_t tuple)
{
    s->list[s->listed] = (uint32_t)tuple;
    s->place[tuple] = (uint32_t)++s->listed;
}

static void list_drop(struct tabu *s, size_t tuple)
{
    uint32_t at = s->place[tuple], last = s->list[s->listed - 1];
    s->list[at - 1] = last;
    s->place[last] = at;
    s->place[tuple] = 0;
    s->listed--;
}

static void count_up(struct tabu *s, size_t at)
{
    if (s->c->count[at]++ == 0 && s->c->wanted[at])
        list_drop(s, at);
}

static void count_down(struct tabu *s, size_t at)
{
    if (--s->c->count[at] == 0 && s->c->wanted[at])
        list_add(s, at);
}

/* Change in the number of uncovered tuples if the cell took the value. */
static long delta_of(struct tabu *s, const int16_t *row, int q, int value)
{
    const struct bundle *v = &s->c->views[q];
    const uint16_t *count = s->c->count;
    const unsigned char *wanted = s->c->wanted;
    long delta = 0;
    size_t old = (size_t)row[q], new = (size_t)value;
    if (v->width == 1) {
        for (int k = 0; k < v->count; k++) {
            size_t at = v->base[k] + (size_t)v->stride[k] * (size_t)row[v->other[k]];
            size_t from = at + v->own[k] * old, to = at + v->own[k] * new;
            delta += (count[from] == 1) & wanted[from];
            delta -= (count[to] == 0) & wanted[to];
        }
    } else {
        for (int k = 0; k < v->count; k++) {
            size_t at = bundle_index(v, k, row);
            size_t from = at + v->own[k] * old, to = at + v->own[k] * new;
            delta += (count[from] == 1) & wanted[from];
            delta -= (count[to] == 0) & wanted[to];
        }
    }
    s->work += (uint64_t)v->count * 2;
    return delta;
}

static void set_cell(struct tabu *s, int16_t *row, int q, int value)
{
    const struct bundle *v = &s->c->views[q];
    for (int k = 0; k < v->count; k++) {
        size_t at = bundle_index(v, k, row);
        count_down(s, at + (size_t)v->own[k] * (size_t)row[q]);
        count_up(s, at + (size_t)v->own[k] * (size_t)value);
    }
    s->work += (uint64_t)v->count * 2;
    row[q] = (int16_t)value;
}

static int stays_valid(struct tabu *s, int16_t *row, int q, int16_t value)
{
    if (!rules_constrained(s->c->p->rules, q))
        return 1;
    int16_t old = row[q];
    row[q] = value;
    int ok = rules_hold(s->c->p->rules, row, q);
    row[q] = old;
    s->work += 20;
    return ok;
}

/* The combination and the values of an uncovered tuple, found by its index. */
static int decode_tuple(const struct cover *c, size_t tuple, int *params, int16_t *values)
{
    int low = 0, high = c->own.count - 1, n = 0, w = c->own.width;
    while (low < high) {
        int mid = (low + high + 1) / 2;
        if (c->own.base[mid] <= tuple)
            low = mid;
        else
            high = mid - 1;
    }
    size_t rest = tuple - c->own.base[low];
    for (int j = 0; j < w; j++) {
        uint32_t stride = c->own.stride[low * w + j];
        if (c->own.other[low * w + j] == c->p->n)
            continue;
        params[n] = c->own.other[low * w + j];
        values[n++] = (int16_t)(rest / stride);
        rest %= stride;
    }
    return n;
}

/* The row's only cell that disagrees with the tuple, -1 if there is none or more than one. */
static int single_difference(const int16_t *row, int n, const int *params, const int16_t *values)
{
    int at = -1;
    for (int j = 0; j < n; j++)
        if (row[params[j]] != values[j]) {
            if (at >= 0)
                return -1;
            at = j;
        }
    return at;
}

static struct tabu_candidate best_single(struct tabu *s, int n, const int *params, const int16_t *values)
{
    struct tabu_candidate best = {.param = -1};
    uint32_t ties = 0;
    for (size_t r = s->now.fixed; r < s->now.count; r++) {
        int16_t *row = table_row(&s->now, r);
        int j = single_difference(row, n, params, values);
        if (j < 0 || !stays_valid(s, row, params[j], values[j]))
            continue;
        long delta = delta_of(s, row, params[j], values[j]);
        int forbidden = s->until[r * (size_t)s->c->p->n + (size_t)params[j]] > s->move;
        if (forbidden && (long)s->listed + delta >= s->best_uncovered)
            continue;
        if (best.param >= 0 && delta > best.delta)
            continue;
        ties = best.param >= 0 && delta == best.delta ? ties + 1 : 0;
        if (ties == 0 || rng_below(s->rng, ties + 1) == 0)
            best = (struct tabu_candidate){r, params[j], values[j], delta};
    }
    s->work += s->now.count;
    return best;
}

/* Forces the tuple into a random row; where constraints object the solver changes what it must. */
static void force_tuple(struct tabu *s, int n, const int *params, const int16_t *values)
{
    if (s->now.count == s->now.fixed)
        return;
    const struct problem *p = s->c->p;
    size_t r = s->now.fixed + rng_below(s->rng, (uint32_t)(s->now.count - s->now.fixed));
    int16_t *row = table_row(&s->now, r);
    memcpy(s->spare, row, sizeof *row * (size_t)s->now.width);
    for (int j = 0; j < n; j++)
        s->spare[params[j]] = values[j];
    if (!rules_hold(p->rules, s->spare, -1)) {
        for (int q = 0; q < p->n; q++)
            s->spare[q] = PAIRS_NONE;
        for (int j = 0; j < n; j++)
            s->spare[params[j]] = values[j];
        for (int i = 0, q = (int)rng_below(s->rng, (uint32_t)p->n); i < p->n;
             i++, q = (q + 1) % p->n) {
            if (s->spare[q] >= 0)
                continue;
            s->spare[q] = row[q];
            if (!rules_extendable(p->rules, s->spare, q))
                s->spare[q] = PAIRS_NONE;
        }
        if (rules_complete(p->rules, s->spare, NULL))
            return;
        s->work += 2000;
    }
    for (int q = 0; q < p->n; q++)
        if (s->spare[q] != row[q]) {
            set_cell(s, row, q, s->spare[q]);
            s->until[r * (size_t)p->n + (size_t)q] = s->move + 1 + rng_below(s->rng, 10);
        }
}

static void make_move(struct tabu *s)
{
    int params[PAIRS_MAX_STRENGTH + 1];
    int16_t values[PAIRS_MAX_STRENGTH + 1];
    size_t tuple = s->list[rng_below(s->rng, (uint32_t)s->listed)];
    int n = decode_tuple(s->c, tuple, params, values);
    struct tabu_candidate best = best_single(s, n, params, values);
    s->move++;
    if (best.param < 0 || (s->listed > 1 && rng_below(s->rng, 1000) == 0)) {
        force_tuple(s, n, params, values);
        return;
    }
    set_cell(s, table_row(&s->now, best.row), best.param, best.value);
    s->until[best.row * (size_t)s->c->p->n + (size_t)best.param] =
        s->move + 1 + rng_below(s->rng, 10);
    if ((long)s->listed < s->best_uncovered)
        s->best_uncovered = (long)s->listed;
}

/* Takes away the row whose loss uncovers least; of many rows, the best of a sample. */
static void take_row(struct tabu *s)
{
    size_t victim = s->now.fixed, least = (size_t)-1, rows = s->now.count - s->now.fixed;
    size_t looks = (size_t)(SAMPLE_WORK / s->c->own.count) + 1;
    for (size_t i = 0; i < rows && i < looks; i++) {
        size_t r = s->now.fixed + (rows <= looks ? i : rng_below(s->rng, (uint32_t)rows));
        size_t unique = cover_unique(s->c, table_row(&s->now, r));
        if (unique < least) {
            least = unique;
            victim = r;
        }
    }
    s->work += (rows < looks ? rows : looks) * (uint64_t)s->c->own.count;
    for (int k = 0; k < s->c->own.count; k++)
        count_down(s, bundle_index(&s->c->own, k, table_row(&s->now, victim)));
    table_remove(&s->now, victim);
    memset(s->until, 0, sizeof *s->until * s->now.count * (size_t)s->c->p->n);
    s->best_uncovered = (long)s->listed;
}

static int time_is_up(struct tabu *s)
{
    if (s->o->work && s->work >= s->o->work)
        return 1;
    if (s->work - s->checked < 20000)
        return 0;
    s->checked = s->work;
    if (s->o->tell)
        s->o->tell(s->o->context, s->now.count + 1, s->listed);
    return (s->o->stop && *s->o->stop) || (s->o->deadline && progress_now() >= s->o->deadline);
}

void tabu_shrink(struct cover *c, struct table *t, struct rng *rng, const struct tabu_options *o)
{
    struct tabu s = {.c = c, .rng = rng, .o = o};
    s.list = mem_alloc(sizeof *s.list * (c->tuples + 1));
    s.place = mem_alloc(sizeof *s.place * (c->tuples + 1));
    s.until = mem_alloc(sizeof *s.until * (t->count * (size_t)c->p->n + 1));
    s.spare = mem_alloc(sizeof *s.spare * (size_t)t->width);
    table_copy(&s.now, t);
    while (s.now.count > s.now.fixed && t->count > o->goal && !time_is_up(&s)) {
        take_row(&s);
        while (s.listed && !time_is_up(&s))
            make_move(&s);
        if (s.listed)
            break;
        size_t fixed = t->fixed;
        table_free(t);
        table_copy(t, &s.now);
        t->fixed = fixed;
    }
    memset(c->count, 0, sizeof *c->count * c->tuples);
    for (size_t r = 0; r < t->count; r++)
        cover_add(c, table_row(t, r));
    c->uncovered = 0;
    table_free(&s.now);
    free(s.list);
    free(s.place);
    free(s.until);
    free(s.spare);
}
