/* Random small programs whose threads wait on a condition, a semaphore or for each other and are asked to end
 * meanwhile: engines with partial-order reduction find the traces that plain enumeration of all interleavings
 * finds, and what threads were told. An operation that a second object ends is another event, with another
 * dependence. RADDLE_LONG: more programs. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { INTERLEAVINGS = 3000 };

static const struct kind {
    const char *engine;
    int sleep;
} kinds[] = {{"optimal", 1}, {"source", 1}, {"dpor-cr", 1}, {"dpor", 1}, {"dpor-cr", 0}, {"dpor", 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What they come to, too: a trace is known by what the simulator takes for dependent. */
static int compare(const struct sim_program *p, uint64_t seed, const struct kind *k, int collect,
                   const struct sim_set *all)
{
    struct sim_worker w;
    uint32_t repeats = 0;
    sim_worker_open(&w, p, k->engine, k->sleep);
    w.collect = collect;
    w.engine.repeats = &repeats;
    sim_worker_run(&w, 100000);
    int wrong = !sim_set_equal(all, &w.seen);
    if (wrong)
        print_error("seed %lu, %s, sleep %d: %zu of %zu %s\n", (unsigned long)seed, k->engine, k->sleep,
                    w.seen.used, all->used, collect == 2 ? "outcomes" : "traces");
    if (collect == 1 && k->engine[0] == 'o' && w.duplicates && !repeats) {
        print_error("seed %lu, %s: %ld traces found twice\n", (unsigned long)seed, k->engine, w.duplicates);
        wrong = 1;
    }
    sim_worker_close(&w);
    return wrong;
}

static void waits_that_are_asked_to_end(void **state)
{
    const char *from = getenv("RADDLE_SEED");
    int wanted = getenv("RADDLE_LONG") ? 20000 : 400, wrong = 0, used = 0;
    for (uint64_t seed = from ? strtoul(from, NULL, 10) : 1; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set traces = {0}, outcomes = {0};
        sim_random_endings(&p, seed);
        if (sim_brute(&p, INTERLEAVINGS, &traces) > 1) {
            used++;
            sim_outcomes(&p, INTERLEAVINGS, &outcomes);
            for (int k = 0; k < KINDS; k++) {
                wrong += compare(&p, seed, &kinds[k], 1, &traces);
                wrong += compare(&p, seed, &kinds[k], 2, &outcomes);
            }
        }
        sim_set_free(&traces);
        sim_set_free(&outcomes);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(waits_that_are_asked_to_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
