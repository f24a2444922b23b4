/* Reading models: PICT's format, our additions, ACTS XML; and every mistake with its place. */
#include "base/sbuf.h"
#include "pairs/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct pairs_read_options defaults = PAIRS_READ_DEFAULTS;

static void read_good(struct pairs_model *m, const char *text)
{
    struct error e = {0};
    if (pairs_parse_model(m, "m", text, strlen(text), &defaults, &e))
        fail_msg("%s\n%s", e.what, text);
}

static void refuse(const char *text, size_t length, const char *place, const char *message)
{
    struct pairs_model m;
    struct error e = {0};
    char want[64];
    if (!pairs_parse_model(&m, "m", text, length, &defaults, &e))
        fail_msg("accepted: %s", text);
    assert_int_equal(e.status, EXIT_USAGE);
    snprintf(want, sizeof want, "m:%s: ", place);
    if (strncmp(e.what, want, strlen(want)) || !strstr(e.what, message) || !strchr(e.what, '^'))
        fail_msg("wanted %s … %s, got %s", want, message, e.what);
}

static void values_and_their_marks(void **state)
{
    struct pairs_model m;
    read_good(&m, "# comment\n"
                  "Size: 1, 2 | two | zwei, ~-1 (3), 4 (10)\n"
                  "Kind, a, b c ,\td\n"
                  "Copy: <Size>, 5\n"
                  "Class: small = { 1, 3..5 } (7), ~none = {0}, large\n");
    assert_int_equal(m.params.count, 4);
    const struct pairs_param *size = &m.params.items[0], *copy = &m.params.items[2],
                             *class = &m.params.items[3];
    assert_int_equal(size->count, 4);
    assert_int_equal(size->numeric, 1);
    assert_int_equal(size->values[1].shown_count, 3);
    assert_string_equal(size->values[1].shown[2], "zwei");
    assert_int_equal(size->values[2].negative, 1);
    assert_int_equal(size->values[2].weight, 3);
    assert_true(size->values[2].number == -1);
    assert_int_equal(size->values[3].weight, 10);
    assert_string_equal(m.params.items[1].values[1].name, "b c");
    assert_int_equal(copy->count, 5);
    assert_int_equal(copy->values[2].negative, 1);
    assert_int_equal(class->count, 3);
    assert_int_equal(class->values[0].shown_count, 4);
    assert_string_equal(class->values[0].shown[3], "5");
    assert_int_equal(class->values[0].weight, 7);
    assert_int_equal(class->values[1].negative, 1);
    assert_int_equal(class->numeric, 0);
    assert_int_equal(pairs_find_value(&m, 0, "ZWEI"), 1);
    assert_int_equal(pairs_find_value(&m, 0, "~-1"), 2);
    pairs_model_free(&m);
}

/* Truth of the only constraint on a row given as value indices. */
static int truth(const char *constraint, int a, int b, int c)
{
    struct pairs_model m;
    struct sbuf text = {0};
    sbuf_printf(&text, "A: 1, 2, 3\nB: 10, 20, ~30\nName: x, Yes, abc\n%s\n", constraint);
    read_good(&m, text.s);
    int16_t row[] = {(int16_t)a, (int16_t)b, (int16_t)c, 0};
    int result = expr_truth(m.constraints.items[0].expr, &m, row);
    pairs_model_free(&m);
    sbuf_free(&text);
    return result;
}

static void constraints_mean_what_they_say(void **state)
{
    assert_int_equal(truth("[A] = 2;", 1, 0, 0), 1);
    assert_int_equal(truth("[A] <> 2;", 1, 0, 0), 0);
    assert_int_equal(truth("IF [A] = 1 THEN [B] > 10;", 0, 0, 0), 0);
    assert_int_equal(truth("IF [A] = 1 THEN [B] > 10 ELSE [B] = 10;", 1, 0, 0), 1);
    assert_int_equal(
        truth("if [a]=1 or [a]=2 and [b]=20 then [Name] in {\"X\", \"abc\"};", 0, 0, 1), 0);
    assert_int_equal(truth("[Name] LIKE \"?E*\";", 0, 0, 1), 1);
    assert_int_equal(truth("[Name] NOT LIKE \"?E*\";", 0, 0, 1), 0);
    assert_int_equal(truth("NOT [A] IN {1, 3};", 1, 0, 0), 1);
    assert_int_equal(truth("NOT [A] = 1 AND [B] = 10;", 1, 1, 0), 0);
    assert_int_equal(truth("[A] * 10 = [B];", 1, 1, 0), 1);
    assert_int_equal(truth("[A] + [B] % 7 - 2 * ([A] - 1) >= 4;", 0, 0, 0), 1);
    assert_int_equal(truth("([A] + 1) * 10 = [B];", 0, 1, 0), 1);
    assert_int_equal(truth("[A] / ([A] - 1) = 2;", 0, 0, 0), 0);
    assert_int_equal(truth("IsNegative(B);", 0, 2, 0), 1);
    assert_int_equal(truth("IsPositive();", 0, 2, 0), 0);
    assert_int_equal(truth("[A] == 1 && (B >= 20 || Name = \"abc\") => B != 20;", 0, 1, 2), 0);
    assert_int_equal(truth("forbid [A] = 1, [B] = 10;", 0, 0, 0), 0);
    assert_int_equal(truth("forbid (1, *, abc);", 0, 1, 2), 0);
    assert_int_equal(truth("forbid (1, *, abc);", 0, 1, 1), 1);
    assert_int_equal(truth("[A] + [B] > 40;", -1, -1, 0), 0);
    assert_int_equal(truth("[A] + [B] > 12;", -1, 0, 0), 2);
}

static void groups(void **state)
{
    struct pairs_model m;
    read_good(&m, "A: 1,2\nB: 1,2\nC @ 3: 1,2\nD: 1,2\n{ A, b, C } @ 3\n{C,D}\n[A]=1 or [B]=1;\n");
    assert_int_equal(m.relations.count, 3);
    assert_int_equal(m.relations.items[0].anchor, 2);
    assert_int_equal(m.relations.items[1].strength, 3);
    assert_int_equal(m.relations.items[1].count, 3);
    assert_int_equal(m.relations.items[2].strength, 0);
    assert_int_equal(m.constraints.count, 1);
    assert_int_equal(m.constraints.items[0].line, 7);
    pairs_model_free(&m);
}

static void acts_files(void **state)
{
    struct pairs_model m;
    read_good(
        &m,
        "<?xml version=\"1.0\"?>\n<System name=\"s\"><!-- c --><Parameters>\n"
        "<Parameter id=\"0\" name=\"num\" type=\"0\"><values><value>1</value><value>100</value>"
        "</values><basechoices><basechoice>100</basechoice></basechoices>"
        "<invalidValues><invalidValue>-1</invalidValue></invalidValues></Parameter>\n"
        "<Parameter id=\"1\" name=\"on\" type=\"2\"><values><value>true</value>"
        "<value>false</value></values><basechoices/><invalidValues/></Parameter>\n"
        "<Parameter id=\"2\" name=\"e\" type=\"1\"><values><value>a&amp;b</value>"
        "<value>c</value></values></Parameter></Parameters>\n"
        "<OutputParameters/><Relations><Relation Strength=\"2\" Default=\"true\">"
        "<Parameter name=\"num\"><value>1</value></Parameter><Parameter name=\"on\"/>"
        "</Relation></Relations>\n"
        "<Constraints><Constraint text=\"(num &gt;= 100 &amp;&amp; on) =&gt; e = &quot;c&quot;\">"
        "<Parameters><Parameter name=\"num\"/></Parameters></Constraint></Constraints>\n"
        "<Testset doi=\"2\"><Testcase TCNo=\"0\"><Value>1</Value><Value>false</Value>"
        "<Value>c</Value></Testcase></Testset></System>\n");
    assert_int_equal(m.params.count, 3);
    assert_int_equal(m.params.items[0].count, 3);
    assert_int_equal(m.params.items[0].values[2].negative, 1);
    assert_int_equal(m.params.items[0].base, 1);
    assert_string_equal(m.params.items[2].values[0].name, "a&b");
    assert_int_equal(m.relations.items[0].count, 2);
    assert_int_equal(m.constraints.count, 1);
    assert_int_equal(m.seeds.count, 1);
    assert_int_equal(m.seeds.items[0][2], 1);
    assert_int_equal(expr_truth(m.constraints.items[0].expr, &m, (int16_t[]){1, 0, 0, 0}), 0);
    assert_int_equal(expr_truth(m.constraints.items[0].expr, &m, (int16_t[]){1, 1, 0, 0}), 1);
    pairs_model_free(&m);
}

static void mistakes_have_a_place(void **state)
{
    static const struct {
        const char *text, *place, *message;
    } bad[] = {
        {"", "1:1", "no parameters"},
        {"\n# nothing\n", "3:1", "no parameters"},
        {"A: 1, 2\nB\n", "2:2", "expected 'name: value"},
        {"A:\nB: 1\n", "1:3", "no values"},
        {": 1, 2\n", "1:1", "needs a name"},
        {"A: 1\nB: 2\na: 3\n", "3:1", "defined twice"},
        {"A: ~1, ~2\n", "1:1", "only invalid values"},
        {"A: x = { 1, 2\n", "1:8", "not closed"},
        {"A: x = { 9..1 }\n", "1:10", "range"},
        {"A: 1\nB: 1\n{ A, B } @ 9\n", "3:11", "strength"},
        {"A: 1\nB: 1\n{ A, B  @ 2\n", "3:1", "not closed"},
        {"A: 1, 2\n[A] = 1\n", "3:1", "expected ';'"},
        {"A: 1, 2\n[A] == ;\n", "2:8", "expected a [parameter]"},
        {"A: 1, 2\n[A = 1;\n", "2:1", "not closed"},
        {"A: 1, 2\nIF [A] = 1 [A] = 2;\n", "2:12", "expected THEN"},
        {"A: 1, 2\n[X] = 1\n", "2:2", "no parameter is called 'X'"},
        {"A: 1, 2\nB: x\n[B] > 3;\n", "3:7", "cannot be ordered"},
        {"A: 1, 2\nB: x\n[B] + 1 = 3;\n", "3:1", "not numeric"},
        {"A: 1, 2\n[A] IN {1, 2;\n", "2:13", "expected ',' or '}'"},
        {"A: 1, 2\n[A] = \"1;\n", "2:7", "not closed"},
        {"A: 1, 2\n([A] = 1;\n", "2:9", "expected ')'"},
        {"A: 1, 2\nforbid (1, 2);\n", "2:11", "more entries"},
        {"A: 1, 2\nforbid (7);\n", "2:9", "no such value"},
        {"<System><Parameters></System>", "1:21", "closes nothing"},
        {"<System><Parameters>", "1:21", "not closed"},
        {"<System><Parameters><Parameter id=\"1\"/></Parameters></System>", "1:21", "no name"},
        {"<System", "1:1", "not closed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(bad[i].text, strlen(bad[i].text), bad[i].place, bad[i].message);
    refuse("A: 1, 2\nB: \0x\n", 14, "2:4", "0 byte");
}

/* ACTS writes boolean values without quotes. */
static void bare_truth_values(void **state)
{
    struct pairs_model m;
    read_good(&m, "A: true, false\nB: 1, 2\n[A] = true => (B != 1);\n[B] = 2 OR false = [A];\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(expr_truth(m.constraints.items[i].expr, &m, (int16_t[]){0, 0}), 0);
        assert_int_equal(expr_truth(m.constraints.items[i].expr, &m, (int16_t[]){0, 1}), 1);
        assert_int_equal(expr_truth(m.constraints.items[i].expr, &m, (int16_t[]){1, 0}), 1);
    }
    pairs_model_free(&m);
}

static char warnings[4096];

static void keep_warning(const struct error *e)
{
    strncat(warnings, e->what, sizeof warnings - strlen(warnings) - 1);
}

/* PICT warns and goes on where a constraint or a group names a parameter that is not there. */
static void unknown_names_are_skipped(void **state)
{
    static const char text[] = "A: 1, 2\nB: 1, 2\n{ A, C } @ 2\n"
                               "IF [A] = \"x;\" AND [X] IN {1, 2}\nTHEN [B] = 1;\n[A] = [B];\n";
    struct pairs_read_options o = defaults;
    struct pairs_model m;
    struct error e = {0};
    o.warn = keep_warning;
    assert_int_equal(pairs_parse_model(&m, "m", text, strlen(text), &o, &e), 0);
    assert_int_equal(m.relations.count, 0);
    assert_int_equal(m.constraints.count, 1);
    assert_int_equal(m.constraints.items[0].line, 6);
    assert_non_null(strstr(warnings, "m:3:6: no parameter is called 'C'"));
    assert_non_null(strstr(warnings, "m:4:20: no parameter is called 'X'"));
    pairs_model_free(&m);
}

static void deep_and_long_input(void **state)
{
    struct sbuf deep = {0}, wide = {0}, many = {0};
    struct pairs_model m;
    struct error e;
    sbuf_puts(&deep, "A: 1, 2\n[A] = 1 OR ");
    sbuf_pad(&deep, '(', 100000);
    assert_int_equal(pairs_parse_model(&m, "m", deep.s, deep.len, &defaults, &e), -1);
    sbuf_puts(&wide, "A: 1, 2\n[A] = 1");
    for (int i = 0; i < 50000; i++)
        sbuf_puts(&wide, " OR [A] = 2");
    sbuf_puts(&wide, ";\n");
    read_good(&m, wide.s);
    assert_int_equal(expr_truth(m.constraints.items[0].expr, &m, (int16_t[]){1, 0}), 1);
    pairs_model_free(&m);
    for (int i = 0; i < 10000; i++)
        sbuf_printf(&many, "P%d: a, b\n", i);
    read_good(&m, many.s);
    assert_int_equal(m.params.count, 10000);
    pairs_model_free(&m);
    sbuf_free(&deep);
    sbuf_free(&wide);
    sbuf_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_their_marks),
        cmocka_unit_test(constraints_mean_what_they_say),
        cmocka_unit_test(groups),
        cmocka_unit_test(acts_files),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(bare_truth_values),
        cmocka_unit_test(unknown_names_are_skipped),
        cmocka_unit_test(deep_and_long_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
