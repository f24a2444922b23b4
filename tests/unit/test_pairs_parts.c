/* The parts of the generator on their own: the SAT solver against enumeration, constructions,
 * exact horizontal growth, local search, reuse of tests, groups, the bridge to runs. */
#include "base/progress.h"
#include "base/rng.h"
#include "base/sbuf.h"
#include "pairs/algebra.h"
#include "pairs/bridge.h"
#include "pairs/check.h"
#include "pairs/generate.h"
#include "pairs/sat.h"
#include "pairs/tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const struct pairs_read_options defaults = PAIRS_READ_DEFAULTS;

static void read_model(struct pairs_model *m, const char *text)
{
    struct error e = {0};
    if (pairs_parse_model(m, "m", text, strlen(text), &defaults, &e))
        fail_msg("%s", e.what);
}

/* n parameters of d values each. */
static void uniform_model(struct pairs_model *m, int n, int d)
{
    struct sbuf text = {0};
    for (int i = 0; i < n; i++) {
        sbuf_printf(&text, "P%d: 0", i);
        for (int v = 1; v < d; v++)
            sbuf_printf(&text, ", %d", v);
        sbuf_putc(&text, '\n');
    }
    read_model(m, text.s);
    sbuf_free(&text);
}

static void check_table(const struct pairs_model *m, const struct table *t, int strength,
                        int status)
{
    struct check_report report;
    const int16_t **rows = mem_alloc(sizeof *rows * (t->count + 1));
    for (size_t i = 0; i < t->count; i++)
        rows[i] = table_row(t, i);
    check_tests(m, strength, rows, t->count, &report);
    assert_int_equal(check_status(&report), status);
    check_free(&report);
    free(rows);
}

static size_t generated_size(const struct pairs_model *m, const struct pairs_options *o)
{
    struct pairs_result r;
    struct error e = {0};
    if (pairs_generate(m, o, &r, &e))
        fail_msg("%s", e.what);
    check_table(m, &r.tests, o->strength, 0);
    size_t n = r.tests.count;
    pairs_result_free(&r);
    return n;
}

/* ---- SAT ---- */

static int brute_sat(int vars, int clauses, int (*c)[3], unsigned fixed, unsigned values)
{
    for (unsigned x = 0; x < 1u << vars; x++) {
        int ok = ((x ^ values) & fixed) == 0;
        for (int i = 0; i < clauses && ok; i++) {
            ok = 0;
            for (int k = 0; k < 3; k++)
                ok |= (int)(x >> (c[i][k] / 2) & 1) != (c[i][k] & 1);
        }
        if (ok)
            return 1;
    }
    return 0;
}

static void sat_agrees_with_enumeration(void **state)
{
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 300; round++) {
        int vars = 4 + (int)rng_below(&rng, 9), clauses = vars * 4, c[64][3];
        struct sat *s = sat_new();
        for (int i = 0; i < vars; i++)
            sat_add_var(s);
        for (int i = 0; i < clauses; i++) {
            for (int k = 0; k < 3; k++)
                c[i][k] = (int)rng_below(&rng, (uint32_t)(2 * vars));
            sat_add_clause(s, c[i], 3);
        }
        for (int q = 0; q < 10; q++) { /* the same solver answers many questions */
            unsigned fixed =
                (unsigned)rng_next(&rng) & ((1u << vars) - 1) & (unsigned)rng_next(&rng);
            unsigned values = (unsigned)rng_next(&rng);
            sat_lit assumptions[16];
            int n = 0;
            for (int i = 0; i < vars; i++)
                if (fixed >> i & 1)
                    assumptions[n++] = SAT_LIT(i, !(values >> i & 1));
            assert_int_equal(sat_solve(s, assumptions, n),
                             brute_sat(vars, clauses, c, fixed, values));
        }
        sat_free(s);
    }
}

/* ---- constructions ---- */

static void constructions_cover(void **state)
{
    static const int sizes[][3] = {{2, 4, 2},  {2, 126, 2}, {3, 4, 2}, {3, 36, 2}, {4, 20, 2},
                                   {5, 30, 2}, {6, 8, 2},   {8, 9, 2}, {9, 10, 2}, {10, 12, 2},
                                   {16, 6, 2}, {5, 6, 3},   {4, 5, 4}, {7, 8, 3},  {3, 4, 3},
                                   {2, 11, 3}, {2, 20, 3},  {2, 45, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct pairs_model m;
        struct problem p;
        struct table t;
        struct rng rng;
        int d = sizes[i][0], n = sizes[i][1], order[200];
        rng_seed(&rng, 1);
        for (int k = 0; k < n; k++)
            order[k] = k;
        uniform_model(&m, n, d);
        problem_init(&p, &m, sizes[i][2], RULES_POSITIVE);
        table_init(&t, n);
        assert_int_equal(algebra_array(&p, &t, sizes[i][2], d, order, n), n);
        assert_true(t.count >= algebra_lower_bound(&p));
        ipo_complete(&p, &t, &rng);
        check_table(&m, &t, sizes[i][2], 0);
        table_free(&t);
        problem_free(&p);
        pairs_model_free(&m);
    }
}

static void lower_bounds(void **state)
{
    static const int want[][3] = {{2, 3, 4},    {2, 4, 5},  {2, 10, 6},  {2, 126, 10},
                                  {2, 127, 11}, {3, 4, 9},  {3, 5, 11},  {3, 13, 15},
                                  {4, 5, 16},   {4, 6, 17}, {10, 2, 100}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct pairs_model m;
        struct problem p;
        uniform_model(&m, want[i][1], want[i][0]);
        problem_init(&p, &m, 2, RULES_POSITIVE);
        assert_int_equal(algebra_lower_bound(&p), want[i][2]);
        problem_free(&p);
        pairs_model_free(&m);
    }
}

/* ---- generation ---- */

static void exact_growth(void **state)
{
    struct pairs_model m;
    struct pairs_options exact = {.strength = 2, .exact = 1};
    read_model(&m, "A: 1, 2\nB: 1, 2\nC: 1, 2, 3\n"); /* the example of section 4.1 */
    assert_int_equal(generated_size(&m, &exact), 6);
    pairs_model_free(&m);
    uniform_model(&m, 4, 3);
    assert_int_equal(generated_size(&m, &exact), 9);
    pairs_model_free(&m);
    struct pairs_result r;
    struct error e;
    read_model(&m, "A: 1, 2\nB: 1, 2\n[A] = 1 OR [B] = 1;\n");
    assert_int_equal(pairs_generate(&m, &exact, &r, &e), -1);
    assert_int_equal(e.status, EXIT_USAGE);
    pairs_model_free(&m);
}

static void local_search_reaches_optima(void **state)
{
    static const size_t want[][3] = {{3, 4, 9}, {3, 13, 15}, {2, 100, 10}, {4, 5, 16}, {5, 6, 25}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct pairs_model m;
        struct pairs_options o = {.strength = 2, .optimize = 20};
        uniform_model(&m, (int)want[i][1], (int)want[i][0]);
        assert_int_equal(generated_size(&m, &o), want[i][2]);
        pairs_model_free(&m);
    }
}

static void the_seed_decides(void **state)
{
    struct pairs_model m;
    struct pairs_options o = {.strength = 2, .seed = 3};
    struct pairs_result a, b;
    struct error e;
    uniform_model(&m, 12, 4);
    assert_int_equal(pairs_generate(&m, &o, &a, &e), 0);
    assert_int_equal(pairs_generate(&m, &o, &b, &e), 0);
    assert_int_equal(a.tests.count, b.tests.count);
    assert_memory_equal(a.tests.cells, b.tests.cells,
                        a.tests.count * (size_t)a.tests.width * sizeof(int16_t));
    size_t sum = 0;
    for (size_t i = 0; i < a.tests.count; i++) {
        assert_true(i == 0 || a.gains[i] <= a.gains[i - 1]);
        sum += a.gains[i];
    }
    assert_int_equal(sum, a.tuples);
    assert_int_equal(a.tuples, 66 * 16);
    pairs_result_free(&a);
    pairs_result_free(&b);
    pairs_model_free(&m);
}

static void groups_have_their_strength(void **state)
{
    struct pairs_model m;
    struct pairs_options o = {.strength = 2};
    read_model(&m,
               "A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2\nE: 1,2\nF: 1,2\n{A,B,C} @ 3\n{D,E,F} @ 1\n");
    assert_true(generated_size(&m, &o) >= 27);
    pairs_model_free(&m);
    read_model(&m, "A: 1,2,3\nB @ 3: 1,2\nC: 1,2\nD: 1,2\n");
    assert_true(generated_size(&m, &o) >= 12);
    pairs_model_free(&m);
    read_model(&m, "A: 1,2\nB: 1,2\n$R: x, y\nIF [A] = [B] THEN [$R] = \"x\" ELSE [$R] = \"y\";\n");
    assert_int_equal(generated_size(&m, &o), 4);
    pairs_model_free(&m);
}

static void wide_arithmetic_is_lazy(void **state)
{
    struct pairs_model m;
    struct sbuf text = {0};
    struct pairs_options o = {.strength = 2};
    for (int i = 0; i < 12; i++)
        sbuf_printf(&text, "P%d: 0, 1, 2, 3, 4, 5\n", i);
    for (int i = 0; i < 12; i++)
        sbuf_printf(&text, "%s[P%d]", i ? " + " : "", i);
    sbuf_puts(&text, " = 7;\n");
    read_model(&m, text.s);
    struct pairs_result r;
    struct error e;
    assert_int_equal(pairs_generate(&m, &o, &r, &e), 0);
    for (size_t i = 0; i < r.tests.count; i++) {
        int sum = 0;
        for (int q = 0; q < 12; q++)
            sum += table_row(&r.tests, i)[q];
        assert_int_equal(sum, 7);
    }
    assert_int_equal(r.impossible.count, 66 * 6); /* (3,5) (5,3) (4,4) (4,5) (5,4) (5,5) */
    pairs_result_free(&r);
    pairs_model_free(&m);
    sbuf_free(&text);
}

static void seeds_are_kept(void **state)
{
    struct pairs_model m;
    struct table seeds;
    struct pairs_options o = {.strength = 2, .seeds = &seeds};
    struct pairs_result r;
    struct error e;
    read_model(&m, "A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nforbid [A] = 1, [B] = 1;\n");
    table_init(&seeds, 3);
    memcpy(table_add(&seeds), (int16_t[]){2, 2, 2}, 6);
    memcpy(table_add(&seeds), (int16_t[]){0, 0, 0}, 6); /* no longer allowed */
    memcpy(table_add(&seeds), (int16_t[]){1, -1, 0}, 6);
    assert_int_equal(pairs_generate(&m, &o, &r, &e), 0);
    assert_int_equal(r.seeds_kept, 2);
    assert_int_equal(r.seeds_adapted, 1);
    assert_memory_equal(table_row(&r.tests, 0), ((int16_t[]){2, 2, 2}), 6);
    assert_int_equal(table_row(&r.tests, 1)[0], 0);
    assert_int_not_equal(table_row(&r.tests, 1)[1], 0);
    assert_int_equal(table_row(&r.tests, 2)[0], 1);
    assert_int_equal(table_row(&r.tests, 2)[2], 0);
    check_table(&m, &r.tests, 2, 0);
    pairs_result_free(&r);
    table_free(&seeds);
    pairs_model_free(&m);
}

static void base_choices(void **state)
{
    struct pairs_model m;
    struct pairs_options o = {.strength = 1, .base = 1};
    struct pairs_result r;
    struct error e;
    read_model(&m, "A: 1,2,3\nB: 1,2\nC: 1,2,3\n");
    m.params.items[2].base = 2;
    assert_int_equal(pairs_generate(&m, &o, &r, &e), 0);
    assert_int_equal(r.tests.count, 6);
    assert_memory_equal(table_row(&r.tests, 0), ((int16_t[]){0, 0, 2}), 6);
    for (size_t i = 1; i < 6; i++) {
        const int16_t *row = table_row(&r.tests, i);
        assert_int_equal((row[0] != 0) + (row[1] != 0) + (row[2] != 2), 1);
    }
    pairs_result_free(&r);
    pairs_model_free(&m);
}

/* ---- bridge ---- */

static void open_bridge(struct bridge *b, const char *text)
{
    char path[] = "/tmp/raddle-test-XXXXXX";
    struct error e = {0};
    int fd = mkstemp(path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_int_equal(bridge_open(b, path, NULL, &e), 0);
    unlink(path);
}

static void placeholders(void **state)
{
    struct bridge b;
    struct error e = {0};
    open_bridge(&b, "threads: 2, 4\nmode: fast, safe\n");
    char *words[] = {"./prog", "{threads}", "--mode={mode}{threads}", "{{x}", "{", NULL};
    char **out = bridge_words(&b, 0, words, &e);
    char want[64];
    snprintf(want, sizeof want, "--mode=%s%s", bridge_value(&b, 0, "mode"),
             bridge_value(&b, 0, "threads"));
    assert_string_equal(out[0], "./prog");
    assert_string_equal(out[1], bridge_value(&b, 0, "threads"));
    assert_string_equal(out[2], want);
    assert_string_equal(out[3], "{x}");
    assert_string_equal(out[4], "{");
    assert_null(out[5]);
    bridge_free_words(out);
    char *bad[] = {"{nothing}", NULL};
    assert_null(bridge_words(&b, 0, bad, &e));
    assert_non_null(strstr(e.what, "nothing"));
    assert_null(bridge_value(&b, 0, "nothing"));
    bridge_close(&b);
}

static void common_values(void **state)
{
    struct bridge b;
    open_bridge(&b, "A: 1,2,3\nB: 1,2,3\nC: 1,2,3\nD: 1,2,3\n");
    for (size_t i = 0; i < b.count; i++) {
        const int16_t *row = table_row(&b.tests.tests, i);
        bridge_set(&b, i, row[1] == 2 && row[3] == 0 ? BRIDGE_FAILED : BRIDGE_PASSED, "boom");
    }
    struct bridge_cause causes[4];
    int exact;
    assert_int_equal(bridge_common(&b, causes, &exact), 2);
    assert_true(exact);
    struct sbuf out = {0};
    bridge_report_text(&b, &out);
    assert_non_null(strstr(out.s, "1 of 9 inputs fail, 8 pass"));
    assert_non_null(strstr(out.s, "and no passing one, have"));
    out.len = 0;
    bridge_report_json(&b, &out);
    assert_non_null(strstr(out.s, "\"failed\": 1"));
    sbuf_free(&out);
    for (size_t i = 0; i < b.count; i++)
        bridge_set(&b, i, table_row(&b.tests.tests, i)[2] == 1 ? BRIDGE_FAILED : BRIDGE_PASSED,
                   NULL);
    assert_int_equal(bridge_common(&b, causes, &exact), 1);
    assert_int_equal(causes[0].param, 2);
    assert_int_equal(causes[0].value, 1);
    for (size_t i = 0; i < b.count; i++)
        bridge_set(&b, i, BRIDGE_FAILED, NULL);
    assert_int_equal(bridge_common(&b, causes, &exact), 0);
    assert_false(exact);
    bridge_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sat_agrees_with_enumeration),
        cmocka_unit_test(constructions_cover),
        cmocka_unit_test(lower_bounds),
        cmocka_unit_test(exact_growth),
        cmocka_unit_test(local_search_reaches_optima),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(groups_have_their_strength),
        cmocka_unit_test(wide_arithmetic_is_lazy),
        cmocka_unit_test(seeds_are_kept),
        cmocka_unit_test(base_choices),
        cmocka_unit_test(placeholders),
        cmocka_unit_test(common_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
