/* The unfolding engines against dfs: the same local states of every thread (the sequence of what it did,
 * with what it got to know), over random programs; and the figures of the thesis they come from. */
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
    static const char *const engines[] = {"context", "unfold"};
    for (long i = 0; i < programs; i++) {
        static struct sim_program p;
        struct tally all, some;
        memset(&p, 0, sizeof p);
        sim_random_program(&p, seed + (uint64_t)i);
        explore(&p, "dfs", 0, 20000, &all);
        for (int e = 0; all.complete && e < 2; e++) {
            explore(&p, engines[e], 0, 20000, &some);
            if (some.complete) {
                compared++;
                if (!sim_set_equal(&all.states, &some.states))
                    fail_msg("seed %ld, %s: %zu local states, dfs has %zu", i, engines[e], some.states.used,
                             all.states.used);
                if (!sim_set_equal(&all.deadlocks, &some.deadlocks))
                    fail_msg("seed %ld, %s: %zu deadlocks, dfs has %zu", i, engines[e], some.deadlocks.used,
                             all.deadlocks.used);
            }
            forget(&some);
        }
        forget(&all);
    }
    printf("# %ld comparisons\n", compared);
    assert_true(compared > programs / 2);
}

static long executions(const char *name, const char *engine)
{
    static struct sim_program p;
    const struct sim_known *k = sim_known_find(name);
    struct tally t;
    memset(&p, 0, sizeof p);
    k->build(&p, k->n);
    explore(&p, engine, 0, 1000000, &t);
    assert_true(t.complete);
    forget(&t);
    return t.executions;
}

/* Table 8.1 of the thesis, where the figures do not depend on the order of the search; main does
 * not join the threads of fib. */
static void figures_of_the_thesis(void **state)
{
    assert_int_equal(executions("fib3", "unfold"), 1698);
    assert_int_equal(executions("fib4", "unfold"), 19605);
    assert_in_range(executions("fib4", "context"), 4900, 4950);
    assert_int_equal(executions("single-lock", "unfold"), 2520);
    assert_int_equal(executions("single-lock", "context"), 2520);
    assert_in_range(executions("dining-deadlock4", "context"), 700, 831);
}

/* With memory and mutexes alone there are never more executions than traces. */
static void never_more_than_traces(void **state)
{
    static const char *const engines[] = {"context", "unfold"};
    for (int i = 0; i < sim_known_count; i++)
        for (int e = 0; e < 2; e++) {
            const struct sim_known *k = &sim_known[i];
            if (k->traces > 1100)
                continue;
            long n = executions(k->name, engines[e]);
            if (n > k->traces)
                fail_msg("%s, %s: %ld executions for %ld traces", k->name, engines[e], n, k->traces);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_local_states),
        cmocka_unit_test(figures_of_the_thesis),
        cmocka_unit_test(never_more_than_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
