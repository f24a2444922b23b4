/* IPO and IPOG. One step adds a parameter: horizontal growth gives each test a value of it,
 * vertical growth (IPO_V, figure 4.2) adds tests for the tuples still missing, putting a tuple into
 * an existing test where its cells are open ("-") or agree.
 *
 * need[] has a byte per tuple of the step, 1 while missing, with the new parameter's value as the
 * fastest index, so that the number of missing tuples each value would cover is a sum of short byte
 * vectors: the cost of a step is tests × combinations × values / vector width.
 *
 * Horizontal growth is IPO_H_IV (figure 4.4), or better, best test first: the test that can cover
 * most is extended first. Since gains only shrink, a test's old gain is an upper bound; tests wait
 * in buckets by that bound and are evaluated again only when they come up (lazy greedy).
 * Open cells count as coverable for pairs, as eval and mark (figures 4.5, 4.6) do.
 *
 * With constraints a value is taken only if the test can still be completed (rules.h), and a tuple
 * is impossible only if the solver says so: unlike section 4.5, coverage is complete. */
#include "pairs/ipo.h"

#include <stdlib.h>
#include <string.h>

struct ipo_step {
    const struct problem *p;
    const struct ipo_options *o;
    struct table *t;
    struct bundle b;
    unsigned char *need;
    size_t missing;
    int d;            /* values of the new parameter */
    uint16_t *score;  /* per value */
    uint16_t *left;   /* pairs: missing values of each other parameter, [k * d + v] */
    int *used;        /* how often each value was taken */
    int *bucket_next; /* lists of rows by bound */
    int *bucket_head;
    uint32_t *at; /* scratch: indices of the row's tuples */
    int constrained;
    int count_open; /* open cells count as coverable */
};

/* ---- which tuples are missing ---- */

/* The values of the tuple at `at`, of combination k. */
static void decode(const struct ipo_step *s, int k, size_t at, int16_t *values)
{
    size_t rest = at - s->b.base[k];
    for (int j = 0; j < s->b.width; j++) {
        uint32_t stride = s->b.stride[k * s->b.width + j];
        values[j] = stride ? (int16_t)(rest / stride) : 0;
        rest = stride ? rest % stride : rest;
    }
    values[s->b.width] = (int16_t)rest;
}

static void init_need_signed(struct ipo_step *s)
{
    int16_t values[PAIRS_MAX_STRENGTH];
    for (int k = 0; k < s->b.count; k++) {
        size_t end = k + 1 < s->b.count ? s->b.base[k + 1] : s->b.tuples;
        for (size_t at = s->b.base[k]; at < end; at++) {
            decode(s, k, at, values);
            s->need[at] = (unsigned char)bundle_wants(&s->b, s->p, k, values);
        }
    }
}

static inline int row_index(const struct ipo_step *s, int k, const int16_t *row, size_t *at)
{
    const int *other = s->b.other + k * s->b.width;
    const uint32_t *stride = s->b.stride + k * s->b.width;
    size_t sum = s->b.base[k];
    if (s->b.width == 1) {
        *at = sum + (size_t)stride[0] * (size_t)row[other[0]];
        return row[other[0]] >= 0;
    }
    for (int j = 0; j < s->b.width; j++) {
        int v = row[other[j]];
        if (v < 0)
            return 0;
        sum += (size_t)stride[j] * (size_t)v;
    }
    *at = sum;
    return 1;
}

static void cover_one(struct ipo_step *s, int k, size_t at, int v)
{
    if (!s->need[at])
        return;
    s->need[at] = 0;
    s->missing--;
    if (s->left)
        s->left[(size_t)k * (size_t)s->d + (size_t)v]--;
}

static void cover_row(struct ipo_step *s, const int16_t *row)
{
    int v = row[s->b.param];
    size_t at;
    for (int k = 0; v >= 0 && k < s->b.count; k++)
        if (row_index(s, k, row, &at))
            cover_one(s, k, at + (size_t)v, v);
}

static void init_need(struct ipo_step *s)
{
    s->need = mem_alloc(s->b.tuples + 64);
    if (s->p->has_negative)
        init_need_signed(s);
    else
        memset(s->need, 1, s->b.tuples);
    s->missing = 0;
    for (size_t i = 0; i < s->b.tuples; i++)
        s->missing += s->need[i];
    if (s->b.width == 1) {
        s->left = mem_alloc(sizeof *s->left * ((size_t)s->b.count * (size_t)s->d + 1));
        for (int k = 0; k < s->b.count; k++) {
            size_t end = k + 1 < s->b.count ? s->b.base[k + 1] : s->b.tuples;
            for (size_t at = s->b.base[k]; at < end; at++)
                s->left[(size_t)k * (size_t)s->d + (at - s->b.base[k]) % (size_t)s->d] +=
                    s->need[at];
        }
    }
}

/* ---- horizontal growth ---- */

typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* Adds need[at[i] … +15] over all i to score[0 … 15], in bytes that are emptied before they wrap.
 */
static void sum_need(uint16_t *score, const unsigned char *need, const uint32_t *at, int count,
                     int lanes)
{
    for (int i = 0; i < count;) {
        bytes16 sum = {0}, one;
        int end = i + 255 < count ? i + 255 : count;
        for (; i < end; i++) {
            memcpy(&one, need + at[i], sizeof one);
            sum += one;
        }
        for (int v = 0; v < lanes; v++)
            score[v] = (uint16_t)(score[v] + sum[v]);
    }
}

/* The indices of the row's pairs without the new value; returns how many have no open cell. */
static int pair_indices(const struct ipo_step *s, const int16_t *row)
{
    const int *restrict other = s->b.other;
    const uint32_t *restrict base = s->b.base, *restrict stride = s->b.stride;
    uint32_t *restrict at = s->at;
    int full = 0, n = s->b.count;
    for (int k = 0; k < n; k++) {
        int v = row[other[k]];
        at[full] = base[k] + stride[k] * (uint32_t)v;
        full += v >= 0;
    }
    return full;
}

/* Fills score[v] with the number of missing tuples the row covers with value v. */
static void evaluate(struct ipo_step *s, const int16_t *row)
{
    int d = s->d, full = s->left ? pair_indices(s, row) : 0;
    size_t at;
    memset(s->score, 0, sizeof *s->score * (size_t)d);
    for (int k = 0; !s->left && k < s->b.count; k++)
        if (row_index(s, k, row, &at))
            s->at[full++] = (uint32_t)at;
    for (int k = 0; s->left && s->count_open && full < s->b.count && k < s->b.count; k++) {
        const uint16_t *left = s->left + (size_t)k * (size_t)d;
        for (int v = 0; row[s->b.other[k]] < 0 && v < d; v++)
            s->score[v] = (uint16_t)(s->score[v] + (left[v] > 0));
    }
    for (int v = 0; v < d; v += 16)
        sum_need(s->score + v, s->need + v, s->at, full, d - v < 16 ? d - v : 16);
}

/* The best value that keeps the row completable, or -1 if none covers anything; *gain is its gain.
 * Ties go to the value used least so far, then to chance or the first. */
static int best_value(struct ipo_step *s, int16_t *row, int *gain)
{
    for (;;) {
        int best = -1, ties = 0;
        for (int v = 0; v < s->d; v++) {
            if (s->score[v] == 0)
                continue;
            int better = best < 0 || s->score[v] > s->score[best];
            if (!better && s->score[v] == s->score[best]) {
                better = s->used[v] < s->used[best];
                if (s->used[v] == s->used[best] && s->o->rng)
                    better = rng_below(s->o->rng, (uint32_t)++ties + 1) == 0;
            }
            if (better) {
                ties = s->score[v] == s->score[best < 0 ? v : best] ? ties : 0;
                best = v;
            }
        }
        if (best < 0)
            return -1;
        *gain = s->score[best];
        if (!s->constrained)
            return best;
        row[s->b.param] = (int16_t)best;
        int ok = rules_extendable(s->p->rules, row, s->b.param);
        row[s->b.param] = PAIRS_NONE;
        if (ok)
            return best;
        s->score[best] = 0;
    }
}

/* Pairs: an open cell takes a value whose pair with the new one is missing. */
static void fill_open(struct ipo_step *s, int16_t *row, int v)
{
    for (int k = 0; k < s->b.count; k++) {
        int q = s->b.other[k];
        if (row[q] >= 0 || s->left[(size_t)k * (size_t)s->d + (size_t)v] == 0)
            continue;
        for (int u = 0; u < s->p->levels[q]; u++) {
            size_t at = s->b.base[k] + (size_t)u * s->b.stride[k] + (size_t)v;
            if (!s->need[at])
                continue;
            row[q] = (int16_t)u;
            if (rules_extendable(s->p->rules, row, q)) {
                cover_one(s, k, at, v);
                break;
            }
            row[q] = PAIRS_NONE;
        }
    }
}

static void take_value(struct ipo_step *s, int16_t *row, int v)
{
    row[s->b.param] = (int16_t)v;
    s->used[v]++;
    cover_row(s, row);
    if (s->left && s->count_open)
        fill_open(s, row, v);
}

static void put_bucket(struct ipo_step *s, int bound, int r)
{
    s->bucket_next[r] = s->bucket_head[bound];
    s->bucket_head[bound] = r;
}

static void grow_best_first(struct ipo_step *s)
{
    int top = s->b.count;
    s->count_open = 0;
    s->bucket_head = mem_alloc(sizeof(int) * (size_t)(top + 1));
    s->bucket_next = mem_alloc(sizeof(int) * (s->t->count + 1));
    memset(s->bucket_head, 0xff, sizeof(int) * (size_t)(top + 1));
    for (size_t r = s->t->count; r-- > 0;)
        if (table_row(s->t, r)[s->b.param] < 0)
            put_bucket(s, top, (int)r);
    for (int bound = top; bound > 0 && s->missing; bound--)
        while (s->bucket_head[bound] >= 0 && s->missing) {
            int r = s->bucket_head[bound], gain = 0;
            int16_t *row = table_row(s->t, (size_t)r);
            s->bucket_head[bound] = s->bucket_next[r];
            evaluate(s, row);
            int v = best_value(s, row, &gain);
            if (v >= 0 && gain >= bound)
                take_value(s, row, v);
            else if (v >= 0)
                put_bucket(s, gain, r);
        }
    free(s->bucket_head);
    free(s->bucket_next);
    s->bucket_head = s->bucket_next = NULL;
}

/* IPO_H_IV: the first tests take the values in turn, the others what covers most. */
static void grow_in_order(struct ipo_step *s)
{
    int turn = s->o->in_order ? 0 : s->d;
    s->count_open = 1;
    for (size_t r = 0; r < s->t->count && s->missing; r++) {
        int16_t *row = table_row(s->t, r);
        int gain, v = -1;
        if (row[s->b.param] >= 0)
            continue;
        if (turn < s->d && !s->constrained)
            v = turn++;
        if (v < 0) {
            evaluate(s, row);
            v = best_value(s, row, &gain);
        }
        if (v >= 0)
            take_value(s, row, v);
    }
}

/* ---- vertical growth ---- */

struct open_rows {
    VEC(int) * of_value; /* rows with the new parameter's value and open cells */
    int lists;
};

/* Puts the tuple into the row if its cells are open or agree and the row stays completable. */
static int fit(struct ipo_step *s, int16_t *row, int k, const int16_t *values)
{
    int changed[PAIRS_MAX_STRENGTH + 1], n = 0;
    const int *other = s->b.other + k * s->b.width;
    for (int j = 0; j < s->b.width; j++)
        if (row[other[j]] >= 0 && row[other[j]] != values[j])
            return 0;
    for (int j = 0; j < s->b.width; j++)
        if (row[other[j]] < 0) {
            row[other[j]] = values[j];
            changed[n++] = other[j];
        }
    if (row[s->b.param] < 0) {
        row[s->b.param] = values[s->b.width];
        changed[n++] = s->b.param;
    }
    int ok = 1;
    for (int i = 0; i < n && ok; i++)
        ok = rules_extendable(s->p->rules, row, changed[i]);
    for (int i = 0; i < n && !ok; i++)
        row[changed[i]] = PAIRS_NONE;
    return ok;
}

static int is_open(const struct ipo_step *s, const int16_t *row)
{
    for (int k = 0; k < s->b.count; k++)
        for (int j = 0; j < s->b.width; j++)
            if (row[s->b.other[k * s->b.width + j]] < 0)
                return 1;
    return 0;
}

static void note_impossible(struct ipo_step *s, int k, const int16_t *values)
{
    if (!s->o->impossible)
        return;
    struct impossible x = {0};
    for (int j = 0; j < s->b.width; j++)
        if (s->b.other[k * s->b.width + j] < s->p->n) {
            x.params[x.count] = s->b.other[k * s->b.width + j];
            x.values[x.count++] = values[j];
        }
    x.params[x.count] = s->b.param;
    x.values[x.count++] = values[s->b.width];
    vec_push(s->o->impossible, x);
}

/* Covers one missing tuple: in an open row, or in a new one if it is possible at all. */
static void place_tuple(struct ipo_step *s, struct open_rows *open, int k, size_t at)
{
    int16_t values[PAIRS_MAX_STRENGTH + 1];
    decode(s, k, at, values);
    int v = values[s->b.width];
    for (int list = 0; list < 2; list++) {
        size_t which = list ? (size_t)s->d : (size_t)v;
        for (size_t i = 0; i < open->of_value[which].count; i++) {
            int r = open->of_value[which].items[i];
            int16_t *row = table_row(s->t, (size_t)r);
            if (!fit(s, row, k, values))
                continue;
            cover_row(s, row);
            if (list) {
                open->of_value[which].items[i] =
                    open->of_value[which].items[--open->of_value[which].count];
                vec_push(&open->of_value[v], r);
            }
            return;
        }
    }
    int16_t *row = table_add(s->t);
    if (!fit(s, row, k, values)) {
        s->t->count--;
        s->need[at] = 0;
        s->missing--;
        if (s->left)
            s->left[(size_t)k * (size_t)s->d + (size_t)v]--;
        note_impossible(s, k, values);
        return;
    }
    cover_row(s, row);
    vec_push(&open->of_value[v], (int)s->t->count - 1);
}

static int grow_vertical(struct ipo_step *s)
{
    struct open_rows open = {.lists = s->d + 1};
    open.of_value = mem_alloc(sizeof *open.of_value * (size_t)open.lists);
    for (size_t r = 0; r < s->t->count; r++) {
        int16_t *row = table_row(s->t, r);
        int v = row[s->b.param];
        if (r >= s->t->fixed || v < 0 || is_open(s, row))
            if (v < 0 || is_open(s, row))
                vec_push(&open.of_value[v < 0 ? s->d : v], (int)r);
    }
    int gave_up = 0;
    for (int k = 0; k < s->b.count && s->missing && !gave_up; k++) {
        size_t end = k + 1 < s->b.count ? s->b.base[k + 1] : s->b.tuples;
        for (size_t at = s->b.base[k]; at < end && !gave_up; at++) {
            if (s->need[at])
                place_tuple(s, &open, k, at);
            gave_up = s->o->limit && s->t->count >= s->o->limit;
        }
    }
    for (int i = 0; i < open.lists; i++)
        vec_free(&open.of_value[i]);
    free(open.of_value);
    return gave_up;
}

/* ---- the strategy ---- */

static int add_parameter(const struct problem *p, struct table *t, const struct ipo_options *o,
                         int place, struct error *e)
{
    struct ipo_step s = {.p = p, .o = o, .t = t};
    if (bundle_build(&s.b, p, o->order, place)) {
        bundle_free(&s.b);
        error_set(e, EXIT_USAGE, "too many combinations to keep in memory");
        return error_todo(e, "lower the strength (-t) or split the model");
    }
    s.d = p->levels[s.b.param];
    s.score = mem_alloc(sizeof *s.score * (size_t)(s.d + 1));
    s.at = mem_alloc(sizeof *s.at * (size_t)(s.b.count + 2));
    s.used = mem_alloc(sizeof(int) * (size_t)(s.d + 1));
    s.constrained = rules_constrained(p->rules, s.b.param);
    init_need(&s);
    for (size_t r = 0; r < t->count; r++)
        cover_row(&s, table_row(t, r));
    if (!o->in_order)
        grow_best_first(&s);
    if (o->in_order || s.left)
        grow_in_order(&s);
    int gave_up = s.missing ? grow_vertical(&s) : 0;
    free(s.need);
    free(s.left);
    free(s.score);
    free(s.at);
    free(s.used);
    bundle_free(&s.b);
    return gave_up;
}

int ipo_generate(const struct problem *p, struct table *t, const struct ipo_options *o,
                 struct error *e)
{
    for (int place = 0; place < p->n; place++) {
        int status = add_parameter(p, t, o, place, e);
        if (status)
            return status;
    }
    return 0;
}
