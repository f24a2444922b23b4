/* The language: what is refused, where the caret points, what values mean, and the formatter. */
#include "model/eval.h"
#include "model/format.h"
#include "model/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static int load(const char *text, struct sys *s, struct error *e)
{
    struct model_source *src = mem_alloc(sizeof *src);
    struct ast ast;
    return model_source_text(src, "m.efsm", text, e) || ast_parse(src, &ast, e) ||
           sys_load(s, &ast, NULL, 0, e) || sys_layout(s, SCHEME_FIFO, 4, e);
}

static const struct {
    const char *text, *where, *what;
} wrong[] = {
    {"process P { state s { -> t; } }", "m.efsm:1:26:", "unknown state 't'"},
    {"process P { state s { -> s } }", "m.efsm:1:28:", "expected ';'"},
    {"process P {", "m.efsm:1:12:", "the model ends here"},
    {"proces P { }", "m.efsm:1:1:", "expected a declaration"},
    {"message a;\nprocess P { port x: a; state s { recv b from x; } }",
     "m.efsm:2:39:", "unknown message 'b'"},
    {"process P { var x: 3..1; state s; }", "m.efsm:1:20:", "is empty"},
    {"process P { var x: 0..3; state s { { x = true; } }", "m.efsm:1:", "expected"},
    {"process P { var x: 0..3; state s { { x = true; }; } }", "m.efsm:1:42:", "a bool"},
    {"process P { var x: 0..3; state s { { x = 9; }; } }", "m.efsm:1:42:", "never is"},
    {"process P { var x: 0..3; state s { when x { x = 1; }; } }", "m.efsm:1:41:", "must be a bool"},
    {"process P { var a: array[2] of bool; state s { { a[5] = true; }; } }",
     "m.efsm:1:51:", "outside of 0..1"},
    {"process P { state s; state s; }", "m.efsm:1:28:", "declared twice"},
    {"process P { state s; } invariant P@t;", "m.efsm:1:36:", "has no state 't'"},
    {"process P { state s; } invariant P.x == 1;", "m.efsm:1:36:", "has no variable 'x'"},
    {"process P { state s { send m to Q.x -> s; } } message m;",
     "m.efsm:1:28:", "there is no process 'Q'"},
    {"process P { state s { when 1 / 0 == 1 -> s; } }", "m.efsm:1:30:", "division by zero"},
    {"process P { state s; } /* no end", "m.efsm:1:24:", "never closed"},
    {"process P { state s; } $", "m.efsm:1:24:", "unexpected character"},
    {"const x = 1; const x = 2; process P { state s; }", "m.efsm:1:20:", "declared twice"},
    {"process P(n) { state s; } instance A = P(1, 2);", "m.efsm:1:36:", "takes 1 arguments"},
    {"process final { state s; }", "m.efsm:1:9:", "is a keyword"},
    {"message m(a: 0..1); process P { port x: m; state s { recv m from x; } }",
     "m.efsm:1:59:", "1 field"},
    {"", "m.efsm:1:1:", "no process"},
};

static void errors_point_at_the_place(void **state)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sys s;
        struct error e = {0};
        if (!load(wrong[i].text, &s, &e) || !strstr(e.what, wrong[i].where) ||
            !strstr(e.what, wrong[i].what) || e.status != EXIT_USAGE)
            fail_msg("%s\n gives: %s", wrong[i].text, e.what);
        if (i < 2)
            assert_non_null(strrchr(e.what, '^'));
    }
}

static void caret_is_under_the_column(void **state)
{
    struct sys s;
    struct error e = {0};
    assert_true(load("process P {\n    state s { -> nowhere; }\n}\n", &s, &e));
    assert_string_equal(e.what, "m.efsm:2:18: unknown state 'nowhere'\n"
                                "      state s { -> nowhere; }\n"
                                "                   ^");
}

/* Runs a model of one process and returns what it found. */
static struct model_search run(const char *text)
{
    static struct sys s;
    struct error e = {0};
    struct model_search se;
    struct search_options o = {.jobs = 1, .memory = 1u << 24, .quiet = 1, .interpret = 1};
    if (load(text, &s, &e))
        fail_msg("%s", e.what);
    search_run(&se, &s, &o);
    return se;
}

static void values_mean_what_they_should(void **state)
{
    static const char *const good[] = {
        "assert 7 / 2 == 3 && 7 % 4 == 3 && -3 < 2 && 2 + 3 * 4 == 14;",
        "assert min(3, 1) == 1 && max(3, 1) == 3 && abs(0 - 4) == 4;",
        "assert (x == 0 ? 5 : 6) == 5;",
        "assert (forall i in 0..2: a[i] == 0) && !(exists i in 0..2: a[i] > 0);",
        "a[1] = 4; x = 1; assert a[x] == 4 && (sum i in 0..2: a[i]) == 4;",
        "for i in 0..2 { a[i] = i * i; } assert a[2] == 4 && L[2] == 30;",
        "r.n = -2; r.on = true; assert r.n + 3 == 1 && r.on && c == red;",
        "if x > 3 { assert false; } else if x == 0 { c = blue; } assert c != red;",
        "rs[2].n = 3; x = 2; assert rs[x].n == 3 && big == 70000;",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "enum colour { red, blue } record rec { n: -3..3, on: bool }\n"
                 "const L = [10, 20, 30];\n"
                 "process P { var x: 0..9; var a: array[3] of 0..9; var r: rec; var c: colour;\n"
                 "  var rs: array[3] of rec; var big: 0..100000 = 70000;\n"
                 "  state s { { %s } -> t; } final state t; }",
                 good[i]);
        struct model_search se = run(text);
        if (se.counts[FOUND_FAULT] || se.counts[FOUND_DEADLOCK])
            fail_msg("%s", good[i]);
        search_free(&se);
    }
}

static void faults_are_found(void **state)
{
    static const struct {
        const char *body;
        enum fault_kind kind;
    } bad[] = {
        {"assert x == 1;", FAULT_ASSERT},
        {"x = x + 9; x = x + 1;", FAULT_RANGE},
        {"a[x + 2] = 1; x = 3; a[x] = 1;", FAULT_INDEX},
        {"x = 9 / x;", FAULT_DIVISION},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "process P { var x: 0..9; var a: array[3] of 0..9;\n"
                 "  state s { { %s } -> t; } final state t; }",
                 bad[i].body);
        struct model_search se = run(text);
        assert_int_equal(se.counts[FOUND_FAULT], 1);
        assert_int_equal(se.findings.items[0].fault.kind, bad[i].kind);
        search_free(&se);
    }
}

/* Two instances of a template, an array of them, an array of ports, a record that is indexed. */
static void templates_and_arrays(void **state)
{
    struct model_search se = run(
        "record slot { used: bool, n: 0..9 }\n"
        "message m(n: 0..9);\n"
        "process Source(n, port_nr) { const twice = 2 * n;\n"
        "  state s { send m(twice) to Sink.x[port_nr] -> t; } final state t; }\n"
        "process Sink { port x[4]: m; var slots: array[4] of slot; var i, k: 0..4;\n"
        "  state s { each p in 0..3: when k < 4 && !slots[p].used recv m(slots[p].n) from x[p] {\n"
        "      slots[p].used = true; k = k + 1; i = p;\n"
        "      assert slots[i].n == (p < 2 ? p + 1 : p) * 2; };\n"
        "    when k == 4 -> t; }\n"
        "  final state t { { assert (sum p in 0..3: slots[p].n) == 2 * (1 + 2 + 2 + 3); } -> u; }\n"
        "  final state u; }\n"
        "instance A = Source(1, 0);\ninstance B = Source(2, 1);\n"
        "instance C[2] = Source(2 + self, 2 + self);\n"
        "invariant A@t || A@s;\ninvariant forall p in 0..3: Sink.slots[p].n <= 6;\n");
    assert_int_equal(se.counts[FOUND_FAULT] + se.counts[FOUND_INVARIANT], 0);
    assert_int_equal(se.counts[FOUND_DEADLOCK], 0);
    /* 4 sends, 4 receives and 2 steps to the end: 11 levels */
    assert_int_equal(se.levels, 11);
    search_free(&se);
}

static void unspecified_reception(void **state)
{
    struct model_search se =
        run("message a, b;\n"
            "process P { state s { send a to Q.x -> t; } final state t; }\n"
            "process Q { port x: a, b; state s { recv b from x -> t; } final state t; }");
    assert_int_equal(se.counts[FOUND_UNSPECIFIED], 1);
    assert_int_equal(se.counts[FOUND_DEADLOCK], 1);
    search_free(&se);
}

static void overflow_is_incomplete(void **state)
{
    struct model_search se = run("message a;\nprocess P { state s { send a to Q.x; } }\n"
                           "process Q { port x: a; state s { recv a from x; } }");
    assert_true(se.counts[FOUND_OVERFLOW] > 0);
    assert_non_null(se.incomplete);
    assert_int_equal(se.states, 5);
    search_free(&se);
}

static char *format(const char *text)
{
    struct model_source src;
    struct error e = {0};
    struct sbuf b = {0};
    assert_int_equal(model_source_text(&src, "m", text, &e), 0);
    format_source(&src, &b);
    model_source_free(&src);
    char *out = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return out;
}

static void formats(void **state)
{
    const char *ugly =
        "// top\nparam N=3;enum c{red,blue}\n\n\n\nprocess P[ N ]{port x:a,b;// in\n"
        "var i:0..N-1=-1+1;state s{when i==0&&!done send a(i,-1)to P[(self+1)%N].x{i=i+1;}->t;\n"
        "recv b(=i,_)from x;}final state t;}";
    const char *want = "// top\n"
                       "param N = 3;\n"
                       "enum c { red, blue }\n"
                       "\n"
                       "process P[N] {\n"
                       "    port x: a, b; // in\n"
                       "    var i: 0..N - 1 = -1 + 1;\n"
                       "    state s {\n"
                       "        when i == 0 && !done send a(i, -1) to P[(self + 1) % N].x "
                       "{ i = i + 1; } -> t;\n"
                       "        recv b(=i, _) from x;\n"
                       "    }\n"
                       "    final state t;\n"
                       "}\n";
    char *once = format(ugly), *twice = format(once);
    assert_string_equal(once, want);
    assert_string_equal(twice, once);
    free(once);
    free(twice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_point_at_the_place),    cmocka_unit_test(caret_is_under_the_column),
        cmocka_unit_test(values_mean_what_they_should), cmocka_unit_test(faults_are_found),
        cmocka_unit_test(templates_and_arrays),         cmocka_unit_test(unspecified_reception),
        cmocka_unit_test(overflow_is_incomplete),       cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
