/* The option parser: every type, attached and separate values, operands, errors. */
#include "base/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define OPTIONS(OPT)                                                                               \
    OPT(FLAG, quiet, "quiet", 'q', NULL, "say nothing")                                            \
    OPT(INT, seed, "seed", 0, "N", "the seed")                                                     \
    OPT(STRING, races, "races", 0, "report|stop|off", "what to do about races")                    \
    OPT(TIME, time, "time", 't', "TIME", "budget")                                                 \
    OPT(TIME, optimize, "optimize", 0, "[TIME]", "spend time")                                     \
    OPT(SIZE, memory, "memory", 0, "SIZE", "budget")                                               \
    OPT(LIST, define, "define", 'D', "NAME=VALUE", "define")

struct sample {
    OPTIONS(OPT_STRUCT_FIELD)
};
#define OPT_OWNER sample
static const struct opt rows[] = {OPTIONS(OPT_TABLE_ROW)};
static const struct opt_command command = {
    .name = "sample", .usage = "FILE", .opts = rows, .count = sizeof rows / sizeof rows[0]};

static int parse(struct sample *s, struct error *e, char **argv)
{
    int argc = 0;
    while (argv[argc])
        argc++;
    *s = (struct sample){0};
    return opt_parse(&command, argc, argv, s, e);
}

static void takes_every_type(void **state)
{
    struct sample s;
    struct error e;
    char *argv[] = {"sample", "a",   "--seed=7", "-q", "--races", "off",  "-t2m",
                    "--memory", "4M", "-D",      "X=1", "b",      "-DY=2", "--optimize", NULL};
    assert_int_equal(parse(&s, &e, argv), 12);
    assert_string_equal(argv[12], "a");
    assert_string_equal(argv[13], "b");
    assert_int_equal(s.seed, 7);
    assert_int_equal(s.quiet, 1);
    assert_string_equal(s.races, "off");
    assert_true(s.time == 120);
    assert_true(s.optimize == -1);
    assert_int_equal(s.memory, 4 << 20);
    assert_int_equal(s.define.count, 2);
    assert_string_equal(s.define.items[1], "Y=2");
}

static void refuses_bad_words(void **state)
{
    struct sample s;
    struct error e;
    char *unknown[] = {"sample", "--sed", "3", NULL}, *choice[] = {"sample", "--races=x", NULL},
         *number[] = {"sample", "--seed", "x", NULL}, *missing[] = {"sample", "--time", NULL},
         *flag[] = {"sample", "--quiet=1", NULL};
    char **all[] = {unknown, choice, number, missing, flag};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(parse(&s, &e, all[i]), -1);
        assert_int_equal(e.status, EXIT_USAGE);
    }
    parse(&s, &e, unknown);
    assert_non_null(strstr(e.todo, "--seed"));
}

static void units(void **state)
{
    double t;
    unsigned long long n;
    assert_int_equal(opt_parse_time("250ms", &t), 0);
    assert_true(t == 0.25);
    assert_int_equal(opt_parse_time("1.5h", &t), 0);
    assert_true(t == 5400);
    assert_int_equal(opt_parse_time("3x", &t), -1);
    assert_int_equal(opt_parse_size("2GiB", &n), 0);
    assert_true(n == 2ull << 30);
    assert_int_equal(opt_parse_size("", &n), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_type),
        cmocka_unit_test(refuses_bad_words),
        cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
