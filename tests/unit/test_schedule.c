/* The schedule file: what is written is read back, the golden file means what it says, and every way
 * of damaging a file ends in an error that says where. */
#include "trace/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *golden(void)
{
    static char path[512];
    const char *top = getenv("TOP");
    snprintf(path, sizeof path, "%s/tests/golden/schedule.txt", top ? top : ".");
    return path;
}

static char *golden_text(void)
{
    FILE *f = fopen(golden(), "r");
    assert_non_null(f);
    char *text = mem_alloc(8192);
    assert_true(fread(text, 1, 8191, f) > 0);
    fclose(f);
    return text;
}

static void reads_golden(void **state)
{
    struct schedule s;
    struct error e = {0};
    if (schedule_read(&s, golden(), &e))
        fail_msg("%s", e.what);
    assert_string_equal(s.program, "/home/me/prog");
    assert_int_equal(s.args.count, 3);
    assert_string_equal(s.args.items[1], "two words");
    assert_string_equal(s.args.items[2], "back\\slash\nnewline\x01");
    assert_int_equal(s.seed, 7);
    assert_int_equal(s.racy.count, 2);
    assert_int_equal(s.steps.count, 60);
    assert_int_equal(s.steps.items[3].pick, 1);
    assert_int_equal(s.steps.items[8].branch, 3);
    assert_int_equal(s.steps.items[8].pick, 1);
    assert_int_equal(s.steps.items[59].pick, 12);
    assert_null(s.input);
    schedule_free(&s);
}

static void writes_golden(void **state)
{
    struct schedule s;
    struct error e;
    char *text = golden_text(), *comment = strstr(text, "# comments");
    assert_int_equal(schedule_parse(&s, text, "golden", &e), 0);
    struct sbuf out = {0};
    schedule_format(&s, &out);
    memmove(comment, strchr(comment, '\n') + 1, strlen(strchr(comment, '\n')));
    assert_string_equal(sbuf_str(&out), text);
    sbuf_free(&out);
    schedule_free(&s);
    free(text);
}

static void refused(const char *from, const char *to, const char *message)
{
    struct schedule s;
    struct error e = {0};
    char *text = golden_text(), *at = strstr(text, from);
    assert_non_null(at);
    char *changed = mem_printf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    if (schedule_parse(&s, changed, "file", &e) != -1)
        fail_msg("'%s' → '%s' was accepted", from, to);
    if (!strstr(e.what, message))
        fail_msg("'%s' does not mention '%s'", e.what, message);
    assert_int_equal(e.status, EXIT_USAGE);
    assert_null(s.program);
    free(changed);
    free(text);
}

static void refuses_damage(void **state)
{
    refused("raddle schedule 1", "raddle schedule 7", "version 7; this raddle reads version 1");
    refused("raddle schedule 1", "hello", "not a schedule");
    refused("raddle schedule 1", "raddle schedule 1x", "not a schedule");
    refused("seed 7", "seed x", "file:9: seed is not a number");
    refused("seed 7", "colour blue", "unknown line 'colour'");
    refused("program /home/me/prog\n", "", "no program");
    refused("steps 60", "steps 59", "more steps than announced");
    refused("steps 60", "steps 61", "number of steps");
    refused("steps 60", "steps -1", "not a number");
    refused("0x3 ", "0y3 ", "cannot read the step '0y3'");
    refused("0x3 ", "300x3 ", "no such thread");
    refused("c1/3", "c3/3", "impossible choice");
    refused("\nend\n", "\n", "ends too early");
    refused("steps 60", "", "unknown line");
    refused("two words", "two \\q", "bad escape");
}

static void missing_file(void **state)
{
    struct schedule s;
    struct error e;
    assert_int_equal(schedule_read(&s, "/nonexistent/schedule", &e), -1);
    assert_non_null(strstr(e.what, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_golden),
        cmocka_unit_test(writes_golden),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
