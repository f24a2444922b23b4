/* Coverage of a set of tests, counted combination by combination with one bit per tuple. A tuple of
 * valid values is covered by a test without invalid values; a tuple with one invalid value by a
 * test that has no other. Tuples that no test covers are put to the search (check_search.c): they
 * are either impossible or really missing. */
#include "pairs/check.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BITS 400000000ull /* tuples of one combination */
#define MAX_WORK 20000000.0   /* tuples, or tests × combinations, of a level not asked for */
#define MAX_LISTED 100000

struct checker {
    const struct pairs_model *m;
    struct check_report *report;
    struct check_search *search;
    const int16_t *const *rows;
    size_t count;
    int *negatives; /* per test: the parameter with the invalid value, -1 none, -2 do not count */
    int picked[CHECK_MAX_STRENGTH];
    struct check_level *level;
    enum { COUNT_ONLY, FIND_IMPOSSIBLE, LIST_UNCOVERED } care; /* about tuples not covered */
    int relation; /* the group whose combinations are walked, -1 all parameters */
};

/* ---- the tests themselves ---- */

static int violated(const struct checker *c, const int16_t *row)
{
    int negatives = 0, missing = 0;
    for (size_t p = 0; p < c->m->params.count; p++) {
        missing |= row[p] < 0;
        negatives += row[p] >= 0 && c->m->params.items[p].values[row[p]].negative;
    }
    for (size_t i = 0; i < c->m->constraints.count; i++)
        if (check_holds(c->m, c->m->constraints.items[i].expr, row) == 0)
            return (int)i;
    return negatives > 1 ? -1 : missing ? -2 : -3;
}

static void check_rows(struct checker *c)
{
    for (size_t i = 0; i < c->count; i++) {
        int why = violated(c, c->rows[i]);
        c->negatives[i] = -1;
        for (size_t p = 0; p < c->m->params.count; p++)
            if (c->rows[i][p] >= 0 && c->m->params.items[p].values[c->rows[i][p]].negative)
                c->negatives[i] = (int)p;
        if (why >= -1)
            c->negatives[i] = -2;
        if (why >= -2) {
            struct check_test bad = {i, why};
            vec_push(&c->report->bad_tests, bad);
        }
    }
}

/* ---- one combination ---- */

static int holds_param(const int *picked, int size, int p)
{
    for (int j = 0; j < size; j++)
        if (picked[j] == p)
            return 1;
    return 0;
}

/* Sets the bit of each tuple that a test covers; returns how many. */
static unsigned long long mark(const struct checker *c, int size, uint64_t *bits)
{
    unsigned long long covered = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t at = 0;
        int open = c->negatives[i] == -2 ||
                   (c->negatives[i] >= 0 && !holds_param(c->picked, size, c->negatives[i]));
        for (int j = 0; j < size && !open; j++) {
            int v = c->rows[i][c->picked[j]];
            open = v < 0;
            at = at * (size_t)c->m->params.items[c->picked[j]].count + (size_t)(v < 0 ? 0 : v);
        }
        if (open || bits[at / 64] >> (at % 64) & 1)
            continue;
        bits[at / 64] |= 1ull << (at % 64);
        covered++;
    }
    return covered;
}

static void judge(struct checker *c, const struct check_tuple *t)
{
    int possible = check_search_possible(c->search, t);
    if (possible == 0) {
        c->level->impossible++;
        c->level->total--;
        if (c->care == LIST_UNCOVERED && c->report->impossible.count < MAX_LISTED)
            vec_push(&c->report->impossible, *t);
    } else if (c->care != LIST_UNCOVERED) {
        c->level->exact &= possible > 0;
    } else if (possible > 0 && c->report->uncovered.count < MAX_LISTED) {
        vec_push(&c->report->uncovered, *t);
    } else if (possible < 0 && c->report->undecided.count < MAX_LISTED) {
        vec_push(&c->report->undecided, *t);
    }
}

static void check_combination(struct checker *c, int size)
{
    unsigned long long product = 1;
    for (int j = 0; j < size; j++)
        product *= (unsigned long long)c->m->params.items[c->picked[j]].count;
    if (product > MAX_BITS) {
        c->level->counted = 0;
        return;
    }
    uint64_t *bits = mem_alloc(sizeof *bits * (size_t)(product / 64 + 1));
    c->level->covered += mark(c, size, bits);
    struct check_tuple t = {.count = size};
    memcpy(t.params, c->picked, sizeof(int) * (size_t)size);
    for (unsigned long long at = 0; at < product; at++) {
        unsigned long long rest = at;
        int negatives = 0;
        for (int j = size - 1; j >= 0; j--) {
            const struct pairs_param *p = &c->m->params.items[c->picked[j]];
            t.values[j] = (int)(rest % (unsigned long long)p->count);
            rest /= (unsigned long long)p->count;
            negatives += p->values[t.values[j]].negative;
        }
        if (negatives > 1)
            continue;
        c->level->total++;
        if (c->care != COUNT_ONLY && !(bits[at / 64] >> (at % 64) & 1))
            judge(c, &t);
    }
    free(bits);
}

/* ---- all combinations ---- */

static int in_relation(const struct checker *c, size_t r, int p)
{
    const struct pairs_relation *rel = &c->m->relations.items[r];
    if (rel->anchor >= 0)
        return 1;
    for (int i = 0; i < rel->count; i++)
        if (rel->params[i] == p)
            return 1;
    return 0;
}

/* Inside a group with a lower strength of its own a combination is not asked for. */
static int exempt(const struct checker *c, int size)
{
    for (size_t r = 0; r < c->m->relations.count; r++) {
        const struct pairs_relation *rel = &c->m->relations.items[r];
        int inside = rel->anchor < 0 && !rel->adds && rel->strength > 0 && rel->strength < size;
        for (int j = 0; j < size && inside; j++)
            inside = in_relation(c, r, c->picked[j]);
        if (inside)
            return 1;
    }
    return 0;
}

static int is_member(const struct checker *c, int p)
{
    return c->relation < 0 ? !c->m->params.items[p].result : in_relation(c, (size_t)c->relation, p);
}

static void walk(struct checker *c, int from, int depth, int size, int honour_exempt)
{
    if (depth == size) {
        int anchor = c->relation < 0 ? -1 : c->m->relations.items[c->relation].anchor;
        if (anchor >= 0 && !holds_param(c->picked, size, anchor))
            return;
        if (!honour_exempt || !exempt(c, size))
            check_combination(c, size);
        return;
    }
    for (int p = from; p < (int)c->m->params.count; p++)
        if (is_member(c, p)) {
            c->picked[depth] = p;
            walk(c, p + 1, depth + 1, size, honour_exempt);
        }
}

static int members(struct checker *c, int relation)
{
    int n = 0;
    c->relation = relation;
    for (int p = 0; p < (int)c->m->params.count; p++)
        n += is_member(c, p);
    return n;
}

static void check_wanted(struct checker *c, int strength)
{
    c->level = &c->report->wanted;
    *c->level = (struct check_level){.counted = 1, .exact = 1};
    c->care = LIST_UNCOVERED;
    for (int r = -1; r < (int)c->m->relations.count; r++) {
        int own = r < 0 ? strength : c->m->relations.items[r].strength;
        int size = own ? own : strength, most = members(c, r);
        size = size < most ? size : most;
        if (size > 0)
            walk(c, 0, 0, size, r < 0);
    }
}

/* How many tuples of each size there are: elementary symmetric polynomials of the domain sizes. */
static void count_levels(const struct checker *c, double *tuples, double *combinations)
{
    for (int t = 0; t <= CHECK_MAX_STRENGTH; t++)
        tuples[t] = combinations[t] = t == 0;
    for (int p = 0; p < (int)c->m->params.count; p++)
        for (int t = CHECK_MAX_STRENGTH; t > 0 && is_member(c, p); t--) {
            tuples[t] += tuples[t - 1] * c->m->params.items[p].count;
            combinations[t] += combinations[t - 1];
        }
}

/* The plain levels: exact up to the strength asked for, counted beyond it while that is cheap. */
static void check_levels(struct checker *c, int strength)
{
    double tuples[CHECK_MAX_STRENGTH + 1], combinations[CHECK_MAX_STRENGTH + 1];
    int n = members(c, -1);
    count_levels(c, tuples, combinations);
    for (int t = 1; t <= CHECK_MAX_STRENGTH && t <= n; t++) {
        c->level = &c->report->levels[t];
        if (t == strength && c->m->relations.count == 0) {
            *c->level = c->report->wanted;
            continue;
        }
        if (combinations[t] * (double)c->count > MAX_WORK || tuples[t] > MAX_WORK)
            continue;
        c->care = t <= strength && c->m->constraints.count ? FIND_IMPOSSIBLE : COUNT_ONLY;
        *c->level =
            (struct check_level){.counted = 1, .exact = t <= strength || !c->m->constraints.count};
        walk(c, 0, 0, t, 0);
    }
}

void check_tests(const struct pairs_model *m, int strength, const int16_t *const *rows,
                 size_t count, struct check_report *report)
{
    *report = (struct check_report){.tests = count};
    struct checker c = {.m = m, .report = report, .rows = rows, .count = count};
    c.search = check_search_new(m);
    c.negatives = mem_alloc(sizeof(int) * (count + 1));
    check_rows(&c);
    check_wanted(&c, strength);
    check_levels(&c, strength);
    check_search_free(c.search);
    free(c.negatives);
}

void check_free(struct check_report *report)
{
    vec_free(&report->uncovered);
    vec_free(&report->undecided);
    vec_free(&report->impossible);
    vec_free(&report->bad_tests);
}

int check_status(const struct check_report *r)
{
    if (r->bad_tests.count || r->uncovered.count)
        return EXIT_BUG;
    return r->undecided.count || !r->wanted.counted ? EXIT_INCOMPLETE : EXIT_SAFE;
}
