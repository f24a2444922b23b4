/* State matching against dfs: the same local states of every thread, deadlocks and final states, over random
 * programs; and the figures of the thesis it comes from. */
#include "final_states.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* With both engines, whose nets have to have the same size; the second also with the states of the net that it has
 * learnt. How many of them finished. */
static long compare(const struct sim_program *p, int match, long seed, const struct tally *all)
{
    static const char *const engines[] = {"stateful", "stateful-unfold", "stateful-unfold"};
    struct tally some[3];
    long complete = 0;
    for (int k = 0; k < 3; k++) {
        explore_graph(p, engines[k], match, k == 2, 20000, &some[k]);
        if (some[k].complete) {
            complete++;
            if (!sim_set_equal(&all->states, &some[k].states))
                fail_msg("seed %ld, %s, match %d: %zu local states, dfs has %zu", seed, engines[k], match,
                         some[k].states.used, all->states.used);
            if (!sim_set_equal(&all->deadlocks, &some[k].deadlocks))
                fail_msg("seed %ld, %s, match %d: %zu deadlocks, dfs has %zu", seed, engines[k], match,
                         some[k].deadlocks.used, all->deadlocks.used);
            if (k != 1 && some[k].finals != all->finals)
                fail_msg("seed %ld, %s, match %d: %ld final states, dfs has %ld", seed, engines[k], match,
                         some[k].finals, all->finals);
        }
        forget(&some[k]);
    }
    if (complete == 3 && (some[0].places != some[1].places || some[0].moves != some[1].moves))
        fail_msg("seed %ld, match %d: nets of %llu and %llu places, %llu and %llu transitions", seed, match,
                 (unsigned long long)some[0].places, (unsigned long long)some[1].places,
                 (unsigned long long)some[0].moves, (unsigned long long)some[1].moves);
    return complete;
}

static void same_states(void **state)
{
    long programs = getenv("RADDLE_LONG") ? 20000 : 500, compared = 0, finals[2];
    uint64_t seed = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 0;
    if (getenv("RADDLE_PROGRAMS"))
        programs = strtol(getenv("RADDLE_PROGRAMS"), NULL, 0);
    for (long i = 0; i < programs; i++) {
        static struct sim_program p;
        struct tally all;
        memset(&p, 0, sizeof p);
        sim_random_program(&p, seed + (uint64_t)i);
        explore(&p, "dfs", 0, 20000, &all);
        bool whole = all.complete && final_states(&p, 20000, finals);
        for (int match = 0; whole && match < 2; match++) {
            all.finals = finals[match];
            compared += compare(&p, match, (long)seed + i, &all);
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
        cmocka_unit_test(same_states),
        cmocka_unit_test(figures_of_the_thesis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
