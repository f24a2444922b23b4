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

#include "explore/share/grove_impl.h"
#include "shared_known.h"

#include <sys/mman.h>

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

/* A leaf below a branch whose elder sibling has not told yet what it performs cannot be taken; when that is
 * known it is found, also by those who look from the root. */
static void waits_for_an_elder(void **state)
{
    struct grove *g = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct wakeup_step elder = {.act.thread = 1, .pick = 1}, younger = {.act.thread = 2, .pick = 2};
    assert_ptr_not_equal(g, MAP_FAILED);
    grove_init(g, 1 << 20);
    uint32_t a = grove_new(g, &elder, GROVE_ROOT, GROVE_OUT, GROVE_CLAIMED);
    uint32_t b = grove_new(g, &younger, GROVE_ROOT, GROVE_INNER, 0);
    uint32_t leaf = grove_new(g, &elder, b, GROVE_WAITING, 0);
    more_at(g, GROVE_ROOT)->state = GROVE_INNER;
    node_at(g, GROVE_ROOT)->child = a;
    node_at(g, a)->next = b;
    node_at(g, b)->child = leaf;
    grove_repair(g);
    assert_int_equal(grove_take(g, 0), 0);
    grove_confirm_one(g, a, &elder.act);
    assert_int_equal(grove_take(g, 0), leaf);
    munmap(g, GROVE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(waits_for_an_elder),
                                       cmocka_unit_test(known_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
