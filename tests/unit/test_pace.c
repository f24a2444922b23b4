/* host/pace.h: samples of a search, however long it takes, and the time that is left. */
#include "host/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pace_sample at(double seconds, uint64_t executions, double estimate, double spread)
{
    return (struct pace_sample){seconds, executions, estimate, spread};
}

static void test_a_long_search_keeps_its_shape(void **state)
{
    struct pace p = {.count = 0};
    for (int i = 0; i <= 100000; i++)
        pace_note(&p, at(i * 0.1, (uint64_t)i * 10, 0, 0));
    pace_note_last(&p, at(10000.1, 1000001, 0, 0));
    assert_in_range(p.count, PACE_SAMPLES / 4, PACE_SAMPLES);
    assert_true(p.samples[0].seconds == 0);
    for (int i = 1; i < p.count; i++) {
        assert_true(p.samples[i].seconds > p.samples[i - 1].seconds);
        assert_true(p.samples[i].seconds - p.samples[i - 1].seconds < 10000.0 * 8 / PACE_SAMPLES);
    }
    assert_int_equal(p.samples[p.count - 1].executions, 1000001);
}

static void expect_left(struct pace_sample now, double budget, const char *want)
{
    struct pace p = {.count = 0};
    char text[64];
    pace_note(&p, at(0, 0, 0, 0));
    pace_left(&p, now, budget, text, sizeof text);
    assert_string_equal(text, want);
}

static void test_the_time_left(void **state)
{
    expect_left(at(10, 1000, 4000, 100), -1, ", about 30 s left");
    expect_left(at(10, 1000, 61000, 100), -1, ", about 10 min left");
    expect_left(at(10, 1000, 1e6, 100), 50, ", at most 50 s left");   /* the budget ends first */
    expect_left(at(10, 1000, 4000, 100), 50, ", about 30 s left");    /* the search does */
    expect_left(at(10, 1000, 4000, 3000), -1, "");                    /* the estimate still moves */
    expect_left(at(10, 1000, 0, 0), -1, "");
    expect_left(at(10, 1000, 0, 0), 7, ", at most 7 s left");
    expect_left(at(10, 0, 4000, 0), -1, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_search_keeps_its_shape),
        cmocka_unit_test(test_the_time_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
