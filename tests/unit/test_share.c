/* A search shared by several workers finds exactly what one worker finds, whenever work is split and
 * whoever dies: with sleep sets each trace once, all engines every trace, those with bounds as many
 * executions of each bound (optimal: test_grove.c). RADDLE_LONG: more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim.h"

enum { INTERLEAVINGS = 1000 };

static void share(const struct sim_program *p, uint64_t seed, const struct sim_set *all, long runs,
                  const char *engine, int sleep)
{
    struct sim_team t = {.workers = 2 + (int)(seed % 3), .collect = 1, .seed = seed,
                         .splits = seed % 5 ? 300 : 1000, .deaths = seed % 2 ? 50 : 0};
    (engine_find(engine)->give ? sim_team_run : sim_grove_run)(&t, p, engine, sleep);
    if (!sim_set_equal(all, &t.seen))
        fail_msg("seed %lu, %s, sleep %d: %zu of %zu traces", (unsigned long)seed, engine, sleep,
                 t.seen.used, all->used);
    if (sleep && strcmp(engine, "dpor") && strcmp(engine, "dfs") && t.duplicates)
        fail_msg("seed %lu, %s: %ld traces found twice", (unsigned long)seed, engine, t.duplicates);
    if (!strcmp(engine, "dfs"))
        assert_int_equal(t.complete + t.assumed, runs);
    sim_set_free(&t.seen);
}

/* Searches in the order of a bound: as many executions of each bound as one worker has. */
static void share_bounds(const struct sim_program *p, uint64_t seed, const char *engine)
{
    static struct bound_stats alone;
    struct sim_worker w;
    struct sim_team t = {.workers = 1 + (int)(seed % 4), .seed = seed, .splits = seed % 5 ? 300 : 1000,
                         .deaths = seed % 2 ? 50 : 0};
    sim_worker_open(&w, p, engine, 0);
    w.engine.bounds = &alone;
    assert_int_equal(w.strategy->init(&w.engine), 0);
    sim_worker_run(&w, 2000);
    bool whole = alone.finished;
    sim_worker_close(&w);
    if (!whole)
        return;
    sim_team_run(&t, p, engine, 0);
    for (int c = 0; c < BOUND_STATS; c++)
        if (t.of_bound[c] != (long)alone.executions[c])
            fail_msg("seed %lu, %s: %ld executions of bound %d, one worker has %ld", (unsigned long)seed,
                     engine, t.of_bound[c], c, (long)alone.executions[c]);
    sim_set_free(&t.seen);
}

static void random_programs(void **state)
{
    int wanted = getenv("RADDLE_LONG") ? 40000 : 1500, used = 0;
    uint64_t first = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 1;
    for (uint64_t seed = first; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        sim_random_program(&p, seed);
        long runs = sim_brute(&p, INTERLEAVINGS, &all);
        if (runs >= 0) {
            used++;
            share(&p, seed, &all, runs, "source", 1);
            share(&p, seed, &all, runs, "dpor-cr", 1);
            if (used % 4 == 0) {
                share(&p, seed, &all, runs, "dpor", 1);
                share(&p, seed, &all, runs, "dpor-cr", 0);
                share(&p, seed, &all, runs, "dpor", 0);
                share(&p, seed, &all, runs, "dfs", 0);
            }
            share_bounds(&p, seed, "icb");
            share_bounds(&p, seed, "idb");
        }
        sim_set_free(&all);
    }
}

/* Where there is no memory for what others would have to explore, that is said, and all else is explored. */
static void little_memory(void **state)
{
    long lost = 0, whole = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        struct sim_team t = {.workers = 2, .collect = 1, .seed = seed, .splits = 1000, .memory = 512};
        sim_random_program(&p, seed);
        if (sim_brute(&p, INTERLEAVINGS, &all) >= 0) {
            sim_grove_run(&t, &p, seed % 2 ? "optimal" : "source", 1);
            if (!t.full)
                assert_true(sim_set_equal(&all, &t.seen));
            assert_true(t.seen.used <= all.used && t.seen.used > 0);
            lost += t.full;
            whole += !t.full;
        }
        sim_set_free(&t.seen);
        sim_set_free(&all);
    }
    assert_true(lost > 10 && whole > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs), cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
