/* Generation against brute force: random models with random constraints. Every complete assignment
 * is enumerated and judged here, by an evaluation of the constraint's own random structure, so that
 * parser, generator and checker are all compared with something that shares nothing with them. */
#include "base/mem.h"
#include "base/rng.h"
#include "base/sbuf.h"
#include "pairs/check.h"
#include "pairs/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_N 7

struct atom {
    int kind; /* 0: [P] = v, 1: [P] <> v, 2: [P] op [Q], 3: [P] + [Q] <= v */
    int p, q, v;
};

struct random_model {
    int n, levels[MAX_N], negative[MAX_N]; /* negative: the last value is invalid */
    int rules;
    struct {
        int form; /* 0: a or b or c, 1: if a then b else c, 2: not (a and b) */
        struct atom atoms[3];
    } rule[6];
    struct sbuf text;
};

static void atom_text(struct random_model *r, const struct atom *a)
{
    if (a->kind < 2)
        sbuf_printf(&r->text, "[P%d] %s %d", a->p, a->kind ? "<>" : "=", a->v);
    else if (a->kind == 2)
        sbuf_printf(&r->text, "[P%d] %s [P%d]", a->p, a->v % 2 ? "<" : ">=", a->q);
    else
        sbuf_printf(&r->text, "[P%d] + 2 * [P%d] <= %d", a->p, a->q, a->v);
}

static int atom_holds(const struct atom *a, const int *row)
{
    switch (a->kind) {
    case 0:
        return row[a->p] == a->v;
    case 1:
        return row[a->p] != a->v;
    case 2:
        return a->v % 2 ? row[a->p] < row[a->q] : row[a->p] >= row[a->q];
    default:
        return row[a->p] + 2 * row[a->q] <= a->v;
    }
}

static void make_model(struct random_model *r, struct rng *rng, int negatives)
{
    memset(r, 0, sizeof *r);
    r->n = 3 + (int)rng_below(rng, MAX_N - 2);
    for (int i = 0; i < r->n; i++) {
        r->levels[i] = 2 + (int)rng_below(rng, 3);
        r->negative[i] = negatives && r->levels[i] > 2 && rng_below(rng, 2);
        sbuf_printf(&r->text, "P%d: ", i);
        for (int v = 0; v < r->levels[i]; v++)
            sbuf_printf(&r->text, "%s%s%d", v ? ", " : "",
                        r->negative[i] && v == r->levels[i] - 1 ? "~" : "", v);
        sbuf_putc(&r->text, '\n');
    }
    r->rules = (int)rng_below(rng, 7);
    for (int i = 0; i < r->rules; i++) {
        r->rule[i].form = (int)rng_below(rng, 3);
        for (int k = 0; k < 3; k++) {
            struct atom *a = &r->rule[i].atoms[k];
            a->kind = (int)rng_below(rng, 4);
            a->p = (int)rng_below(rng, (uint32_t)r->n);
            a->q = (int)rng_below(rng, (uint32_t)r->n);
            a->v = (int)rng_below(rng, a->kind == 3 ? 8 : (uint32_t)r->levels[a->p]);
        }
        static const char *const words[3][4] = {{"", " OR ", " OR ", ";\n"},
                                                {"IF ", " THEN ", " ELSE ", ";\n"},
                                                {"NOT (", " AND ", " AND ", ");\n"}};
        for (int k = 0; k < 3; k++) {
            sbuf_puts(&r->text, words[r->rule[i].form][k]);
            atom_text(r, &r->rule[i].atoms[k]);
        }
        sbuf_puts(&r->text, words[r->rule[i].form][3]);
    }
}

/* 0 not valid, 1 valid without invalid values, 2 valid with one. */
static int judge(const struct random_model *r, const int *row)
{
    int negatives = 0;
    for (int i = 0; i < r->n; i++)
        negatives += r->negative[i] && row[i] == r->levels[i] - 1;
    for (int i = 0; i < r->rules; i++) {
        int a = atom_holds(&r->rule[i].atoms[0], row), b = atom_holds(&r->rule[i].atoms[1], row),
            c = atom_holds(&r->rule[i].atoms[2], row);
        int ok = r->rule[i].form == 0   ? a || b || c
                 : r->rule[i].form == 1 ? (a ? b : c)
                                        : !(a && b && c);
        if (!ok)
            return 0;
    }
    return negatives > 1 ? 0 : 1 + negatives;
}

static int next_row(const struct random_model *r, int *row)
{
    for (int i = 0; i < r->n; i++) {
        if (++row[i] < r->levels[i])
            return 1;
        row[i] = 0;
    }
    return 0;
}

static int matches(const int *params, const int *values, int t, const int *row)
{
    for (int k = 0; k < t; k++)
        if (row[params[k]] != values[k])
            return 0;
    return 1;
}

/* Compares one tuple: covered by the tests iff some valid row contains it. */
static void compare_tuple(const struct random_model *r, const struct pairs_result *result,
                          const int *params, const int *values, int t)
{
    int row[MAX_N] = {0}, possible = 0, covered = 0, negatives = 0;
    for (int k = 0; k < t; k++)
        negatives += r->negative[params[k]] && values[k] == r->levels[params[k]] - 1;
    if (negatives > 1)
        return;
    do {
        possible |= matches(params, values, t, row) && judge(r, row) == 1 + negatives;
    } while (!possible && next_row(r, row));
    for (size_t i = 0; i < result->tests.count && !covered; i++) {
        for (int q = 0; q < r->n; q++)
            row[q] = table_row(&result->tests, i)[q];
        covered = matches(params, values, t, row) && judge(r, row) == 1 + negatives;
    }
    assert_int_equal(covered, possible);
}

static void compare_all(const struct random_model *r, const struct pairs_result *result, int t,
                        int *params, int *values, int depth)
{
    if (depth == t) {
        compare_tuple(r, result, params, values, t);
        return;
    }
    for (int q = depth ? params[depth - 1] + 1 : 0; q < r->n; q++)
        for (int v = 0; v < r->levels[q]; v++) {
            params[depth] = q;
            values[depth] = v;
            compare_all(r, result, t, params, values, depth + 1);
        }
}

static size_t count_valid(const struct random_model *r)
{
    int row[MAX_N] = {0};
    size_t n = 0;
    do
        n += judge(r, row) == 1;
    while (next_row(r, row));
    return n;
}

static void compare_model(struct random_model *r, int t, uint64_t seed)
{
    static const struct pairs_read_options read = PAIRS_READ_DEFAULTS;
    struct pairs_model m;
    struct error e = {0};
    struct pairs_options o = {.strength = t, .seed = seed, .plain_ipo = seed % 4 == 0};
    struct pairs_result result;
    if (pairs_parse_model(&m, "random", r->text.s, r->text.len, &read, &e))
        fail_msg("%s\n%s", e.what, r->text.s);
    int bad = pairs_generate(&m, &o, &result, &e);
    assert_int_equal(bad != 0, count_valid(r) == 0);
    if (bad) {
        assert_int_equal(e.status, EXIT_BUG);
        pairs_model_free(&m);
        return;
    }
    int params[MAX_N], values[MAX_N], row[MAX_N];
    for (size_t i = 0; i < result.tests.count; i++) {
        for (int q = 0; q < r->n; q++)
            row[q] = table_row(&result.tests, i)[q];
        assert_true(judge(r, row) > 0);
    }
    compare_all(r, &result, t < r->n ? t : r->n, params, values, 0);
    const int16_t **rows = mem_alloc(sizeof *rows * (result.tests.count + 1));
    for (size_t i = 0; i < result.tests.count; i++)
        rows[i] = table_row(&result.tests, i);
    struct check_report report;
    check_tests(&m, t, rows, result.tests.count, &report);
    assert_int_equal(check_status(&report), 0);
    assert_int_equal(report.wanted.impossible, result.impossible.count);
    check_free(&report);
    /* Without one of its tests the set must be found incomplete if that test was needed at all. */
    if (result.gains && result.tests.count) {
        check_tests(&m, t, rows + 1, result.tests.count - 1, &report);
        assert_true(report.uncovered.count > 0 || result.tests.count > 1);
        check_free(&report);
    }
    free(rows);
    pairs_result_free(&result);
    pairs_model_free(&m);
}

static void run_random(int t, int rounds, int negatives)
{
    struct rng rng;
    rng_seed(&rng, (uint64_t)(t * 1000 + negatives));
    if (getenv("RADDLE_LONG"))
        rounds *= 20;
    for (int i = 0; i < rounds; i++) {
        struct random_model r;
        make_model(&r, &rng, negatives);
        compare_model(&r, t, (uint64_t)i);
        sbuf_free(&r.text);
    }
}

static void pairs_of_random_models(void **state)
{
    run_random(2, 200, 0);
}

static void pairs_with_invalid_values(void **state)
{
    run_random(2, 120, 1);
}

static void triples_and_more(void **state)
{
    run_random(1, 40, 1);
    run_random(3, 80, 0);
    run_random(3, 40, 1);
    run_random(4, 20, 0);
}

/* Groups with a strength of their own: judged by the checker, which lists combinations its own
 * way, on random models with and without constraints. */
static void random_groups(void **state)
{
    struct rng rng;
    rng_seed(&rng, 77);
    for (int round = 0; round < 150; round++) {
        struct random_model r;
        make_model(&r, &rng, round % 3 == 0);
        int groups = 1 + (int)rng_below(&rng, 2);
        for (int g = 0; g < groups; g++) {
            int size = 0;
            sbuf_puts(&r.text, "{ ");
            for (int i = 0; i < r.n; i++)
                if (rng_below(&rng, 2) || (size == 0 && i == r.n - 1))
                    sbuf_printf(&r.text, "%sP%d", size++ ? ", " : "", i);
            sbuf_printf(&r.text, " } @ %d\n",
                        1 + (int)rng_below(&rng, (uint32_t)(size < 4 ? size : 4)));
        }
        static const struct pairs_read_options read = PAIRS_READ_DEFAULTS;
        struct pairs_model m;
        struct error e = {0};
        struct pairs_options o = {.strength = 1 + round % 3, .seed = (uint64_t)round};
        struct pairs_result result;
        assert_int_equal(pairs_parse_model(&m, "random", r.text.s, r.text.len, &read, &e), 0);
        if (pairs_generate(&m, &o, &result, &e) == 0) {
            const int16_t **rows = mem_alloc(sizeof *rows * (result.tests.count + 1));
            for (size_t i = 0; i < result.tests.count; i++)
                rows[i] = table_row(&result.tests, i);
            struct check_report report;
            check_tests(&m, o.strength, rows, result.tests.count, &report);
            assert_int_equal(check_status(&report), 0);
            check_free(&report);
            free(rows);
            pairs_result_free(&result);
        }
        pairs_model_free(&m);
        sbuf_free(&r.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_random_models),
        cmocka_unit_test(pairs_with_invalid_values),
        cmocka_unit_test(triples_and_more),
        cmocka_unit_test(random_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
