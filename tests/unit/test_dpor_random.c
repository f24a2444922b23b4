/* Random small programs: the set of canonical traces that each engine of the DPOR family finds is
 * the set that plain enumeration of all interleavings finds; with sleep sets none is found twice
 * (except by dpor, to which the order of reads matters), and optimal abandons nothing.
 * RADDLE_LONG: more programs. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { INTERLEAVINGS = 2000 };

static void compare(const struct sim_program *p, uint64_t seed, const struct sim_set *all,
                    const char *engine, int sleep)
{
    struct sim_worker w;
    sim_worker_open(&w, p, engine, sleep);
    sim_worker_run(&w, 1000000);
    if (!sim_set_equal(all, &w.seen))
        fail_msg("seed %lu, %s, sleep %d: %zu of %zu traces", (unsigned long)seed, engine, sleep,
                 w.seen.used, all->used);
    if (sleep && strcmp(engine, "dpor") && w.duplicates)
        fail_msg("seed %lu, %s: %ld traces found twice", (unsigned long)seed, engine, w.duplicates);
    if (engine[0] == 'o' && w.blocked)
        fail_msg("seed %lu: %ld blocked executions", (unsigned long)seed, w.blocked);
    sim_worker_close(&w);
}

static void same_traces_as_brute_force(void **state)
{
    int wanted = getenv("RADDLE_LONG") ? 40000 : 2000, used = 0;
    for (uint64_t seed = 1; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        sim_random_program(&p, seed);
        if (sim_brute(&p, INTERLEAVINGS, &all) >= 0) {
            used++;
            compare(&p, seed, &all, "optimal", 1);
            compare(&p, seed, &all, "source", 1);
            compare(&p, seed, &all, "dpor-cr", 1);
            compare(&p, seed, &all, "dpor", 1);
            compare(&p, seed, &all, "dpor-cr", 0);
            compare(&p, seed, &all, "dpor", 0);
        }
        sim_set_free(&all);
    }
}

/* Programs with too many interleavings for that: optimal finds as many traces as source, and says so if it
 * may have explored something twice. */
static void same_number_as_source(void **state)
{
    enum { EXECUTIONS = 3000 };
    uint64_t last = getenv("RADDLE_LONG") ? 60000 : 4000;
    long used = 0;
    for (uint64_t seed = 2001; seed <= last; seed++) {
        struct sim_program p;
        struct sim_worker w;
        uint32_t repeats = 0;
        sim_random_program(&p, seed);
        sim_worker_open(&w, &p, "source", 1);
        sim_worker_run(&w, EXECUTIONS);
        size_t traces = w.seen.used;
        bool all = w.complete + w.blocked + w.assumed + w.bounded < EXECUTIONS;
        sim_worker_close(&w);
        if (!all)
            continue;
        used++;
        sim_worker_open(&w, &p, "optimal", 1);
        w.engine.repeats = &repeats;
        sim_worker_run(&w, 1000000);
        if (w.seen.used != traces || (w.duplicates && !repeats))
            fail_msg("seed %lu: %zu traces instead of %zu, %ld found twice", (unsigned long)seed,
                     w.seen.used, traces, w.duplicates);
        sim_worker_close(&w);
    }
    assert_true(used > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_traces_as_brute_force),
                                       cmocka_unit_test(same_number_as_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
