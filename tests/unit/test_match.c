/* State matching against dfs: the same local states of every thread and the same deadlocks, over random
 * programs; and the figures of the thesis it comes from. */
#include "local_states.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void same_local_states(void **state)
{
    long programs = getenv("RADDLE_LONG") ? 20000 : 500, compared = 0;
    uint64_t seed = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 0;
    for (long i = 0; i < programs; i++) {
        static struct sim_program p;
        struct tally all, some;
        memset(&p, 0, sizeof p);
        sim_random_program(&p, seed + (uint64_t)i);
        explore(&p, "dfs", 0, 20000, &all);
        for (int match = 0; all.complete && match < 2; match++) {
            explore(&p, "stateful", match, 20000, &some);
            if (some.complete) {
                compared++;
                if (!sim_set_equal(&all.states, &some.states))
                    fail_msg("seed %ld, match %d: %zu local states, dfs has %zu", i, match, some.states.used,
                             all.states.used);
                if (!sim_set_equal(&all.deadlocks, &some.deadlocks))
                    fail_msg("seed %ld, match %d: %zu deadlocks, dfs has %zu", i, match,
                             some.deadlocks.used, all.deadlocks.used);
            }
            forget(&some);
        }
        forget(&all);
    }
    printf("# %ld comparisons\n", compared);
    assert_true(compared > programs / 2);
}

static long executions(const char *name, int match)
{
    static struct sim_program p;
    const struct sim_known *k = sim_known_find(name);
    struct tally t;
    memset(&p, 0, sizeof p);
    k->build(&p, k->n);
    explore(&p, "stateful", match, 1000000, &t);
    if (!t.complete)
        fail_msg("%s: not complete", name);
    forget(&t);
    return t.executions;
}

/* Table 8.3 of the thesis: at most as many executions as there. In the simulator what a lock protects is no
 * event, so that programs with locks alone come out with fewer. */
static void figures_of_the_thesis(void **state)
{
    assert_int_equal(executions("fib4", MATCH_BY_WRITER), 4930);
    assert_in_range(executions("fib4", MATCH_BY_VALUE), 1, 2000);
    assert_int_equal(executions("lastwrite7", MATCH_BY_WRITER), 7);
    assert_int_equal(executions("single-lock+1", MATCH_BY_WRITER), 1);
    assert_in_range(executions("dining-deadlock4", MATCH_BY_WRITER), 1, 3);
    assert_in_range(executions("dining-deadlock5", MATCH_BY_WRITER), 1, 3);
    assert_int_equal(executions("dining7", MATCH_BY_WRITER), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_local_states),
        cmocka_unit_test(figures_of_the_thesis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
