/* A search that several workers share in memory finds exactly what one worker finds, whenever work is
 * split and whoever dies, also in the middle of taking work: each trace once, nothing blocked.
 * RADDLE_LONG: more. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shared_known.h"

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

static void random_programs(void **state)
{
    int wanted = getenv("RADDLE_LONG") ? 40000 : 2000, used = 0;
    uint64_t first = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 1;
    for (uint64_t seed = first; used < wanted; seed++) {
        struct sim_program p;
        struct sim_set all = {0};
        sim_random_program(&p, seed);
        if (sim_brute(&p, INTERLEAVINGS, &all) >= 0) {
            used++;
            share(&p, seed, &all);
        }
        sim_set_free(&all);
    }
}

static void known_programs(void **state)
{
    shared_known(sim_grove_run, 8192, LONG_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(known_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
