/* A search that several workers share in memory finds exactly what one worker finds, whenever work is
 * split and whoever dies, also in the middle of taking work: each trace once, nothing blocked.
 * RADDLE_LONG: more. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { INTERLEAVINGS = 1000 };

static void share(const struct sim_program *p, uint64_t seed, const struct sim_set *all)
{
    struct sim_team t = {.workers = 2 + (int)(seed % 3), .collect = 1, .seed = seed,
                         .splits = seed % 5 ? 300 : 1000, .deaths = seed % 2 ? 50 : 0};
    sim_grove_run(&t, p, "optimal", 1);
    if (!sim_set_equal(all, &t.seen))
        fail_msg("seed %lu: %zu of %zu traces", (unsigned long)seed, t.seen.used, all->used);
    if (t.duplicates || t.blocked || t.overlaps)
        fail_msg("seed %lu: %ld traces found twice, %ld blocked, %ld overlaps", (unsigned long)seed,
                 t.duplicates, t.blocked, t.overlaps);
    sim_set_free(&t.seen);
}

/* Does one worker find them all? That is what the tests of the engine are about. */
static int one_worker(const struct sim_program *p, const struct sim_set *all)
{
    struct sim_worker w;
    sim_worker_open(&w, p, "optimal", 1);
    sim_worker_run(&w, 100000);
    int right = sim_set_equal(all, &w.seen) && !w.blocked;
    sim_worker_close(&w);
    return right;
}

static void random_programs(void **state)
{
    int wanted = getenv("RADDLE_LONG") ? 40000 : 2000, used = 0;
    uint64_t first = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 1;
    for (uint64_t seed = first; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        sim_random_program(&p, seed);
        if (sim_brute(&p, INTERLEAVINGS, &all) >= 0 && one_worker(&p, &all)) {
            used++;
            share(&p, seed, &all);
        }
        sim_set_free(&all);
    }
}

static void known_programs(void **state)
{
    long most = getenv("RADDLE_LONG") ? 200000 : 8192;
    static struct sim_program p;
    for (int i = 0; i < sim_known_count; i++) {
        const struct sim_known *k = &sim_known[i];
        if (k->traces > most)
            continue;
        memset(&p, 0, sizeof p);
        k->build(&p, k->n);
        for (int chance = 2; chance <= 1000; chance *= 20) {
            struct sim_team t = {.workers = 3, .splits = chance, .deaths = 2, .seed = 7};
            sim_grove_run(&t, &p, "optimal", 1);
            if (t.complete != k->traces || t.blocked || t.deadlocks != k->deadlocks)
                fail_msg("%s(%d), splits %d: %ld traces, wanted %ld; %ld blocked, %ld deadlocks",
                         k->name, k->n, chance, t.complete, k->traces, t.blocked, t.deadlocks);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(known_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
