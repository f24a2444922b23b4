/* Random small programs over all operations that the simulator knows (tests/sim): every engine comes
 * to exactly the final states that plain enumeration of all interleavings comes to. What an operation
 * means is the simulator's own; nothing here asks which operations are dependent.
 * RADDLE_LONG: more programs. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { INTERLEAVINGS = 1500 };

static const struct kind {
    const char *name, *engine;
    int sleep, cache;
} kinds[] = {
    {"dfs", "dfs", 1, 0},           {"dpor", "dpor", 1, 0},
    {"dpor --sleep off", "dpor", 0, 0}, {"dpor-cr", "dpor-cr", 1, 0},
    {"source", "source", 1, 0},     {"optimal", "optimal", 1, 0},
    {"reach", "reach", 1, 0},       {"icb", "icb", 1, 0},
    {"icb --cache", "icb", 1, 1},   {"icb --por on", "bpor", 1, 0},
    {"idb", "idb", 1, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef void make_program(struct sim_program *p, uint64_t seed);

static int compare(const struct sim_program *p, uint64_t seed, const struct sim_set *all,
                   const struct kind *k)
{
    struct sim_worker w;
    struct bound_stats stats;
    sim_worker_open(&w, p, "dfs", k->sleep);
    w.strategy = engine_find(k->engine);
    w.collect = 2;
    w.config.cache = (uint8_t)k->cache;
    w.config.memory = 1 << 24;
    w.config.spill_fd = -1;
    w.engine.bounds = &stats;
    assert_int_equal(w.strategy->init(&w.engine), 0);
    sim_worker_run(&w, 100000);
    int wrong = !w.engine.incomplete && !sim_set_equal(all, &w.seen);
    if (wrong)
        print_error("seed %lu, %s: %zu of %zu outcomes\n", (unsigned long)seed, k->name, w.seen.used,
                    all->used);
    sim_worker_close(&w);
    return wrong;
}

/* Programs with more than one outcome. */
static void same_outcomes(make_program *make, int wanted)
{
    int used = 0, wrong = 0;
    for (uint64_t seed = 1; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        make(&p, seed);
        if (sim_outcomes(&p, INTERLEAVINGS, &all) > 1 && all.used > 1) {
            used++;
            for (int k = 0; k < KINDS; k++)
                wrong += compare(&p, seed, &all, &kinds[k]);
        }
        sim_set_free(&all);
    }
    assert_int_equal(wrong, 0);
}

static void ports_monitors_queues_futexes_descriptors_cancellation(void **state)
{
    same_outcomes(sim_random_objects, getenv("RADDLE_LONG") ? 20000 : 500);
}

static void memory_locks_conditions_semaphores_barriers(void **state)
{
    same_outcomes(sim_random_program, getenv("RADDLE_LONG") ? 5000 : 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_monitors_queues_futexes_descriptors_cancellation),
        cmocka_unit_test(memory_locks_conditions_semaphores_barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
