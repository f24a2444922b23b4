/* Programs with known numbers of traces: optimal explores exactly that many executions, none
 * blocked; the others at least as many complete ones. RADDLE_LONG: the big ones too. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void run(const struct sim_known *k, const char *engine, int sleep, struct sim_worker *w)
{
    static struct sim_program p;
    memset(&p, 0, sizeof p);
    k->build(&p, k->n);
    sim_worker_open(w, &p, engine, sleep);
    w->collect = 0;
    sim_worker_run(w, 10000000);
    sim_worker_close(w);
}

static void optimal_is_exact(void **state)
{
    long most = getenv("RADDLE_LONG") ? 10000000 : 150000;
    for (int i = 0; i < sim_known_count; i++) {
        const struct sim_known *k = &sim_known[i];
        struct sim_worker w;
        if (k->traces > most)
            continue;
        run(k, "optimal", 1, &w);
        if (w.complete != k->traces || w.blocked || w.deadlocks != k->deadlocks)
            fail_msg("%s: %ld traces, wanted %ld; %ld blocked, %ld deadlocks", k->name, w.complete,
                     k->traces, w.blocked, w.deadlocks);
    }
}

static void source_is_exact_but_blocks(void **state)
{
    struct sim_worker w;
    run(sim_known_find("lastzero5"), "source", 1, &w);
    assert_int_equal(w.complete, 64);
    assert_true(w.blocked > 0);
    run(sim_known_find("dining7"), "source", 1, &w);
    assert_int_equal(w.complete, 126);
    run(sim_known_find("sigma6"), "source", 1, &w);
    assert_int_equal(w.complete, 10395);
}

static void the_older_engines_need_more(void **state)
{
    struct sim_worker plain, reads, sleep;
    run(sim_known_find("filesystem14"), "dpor", 0, &plain);
    run(sim_known_find("filesystem14"), "dpor-cr", 0, &reads);
    run(sim_known_find("filesystem16"), "dpor-cr", 1, &sleep);
    assert_true(plain.complete >= reads.complete && reads.complete >= 2);
    assert_int_equal(sleep.complete, 8);
    run(sim_known_find("fib3"), "dpor", 1, &plain);
    run(sim_known_find("fib3"), "dpor-cr", 1, &reads);
    assert_true(plain.complete > reads.complete);
    assert_int_equal(reads.complete, 1698);
}

/* Half-way through the estimate is of the right size, at the end it is exact. */
static void estimates_the_whole(void **state)
{
    static const char *const names[] = {"fib4", "sigma6", "lastwrite7", "lockinc7"};
    for (int i = 0; i < 4; i++) {
        const struct sim_known *k = sim_known_find(names[i]);
        static struct sim_program p;
        struct sim_worker w;
        struct engine_estimate e;
        memset(&p, 0, sizeof p);
        k->build(&p, k->n);
        sim_worker_open(&w, &p, "optimal", 1);
        w.collect = 0;
        sim_worker_run(&w, k->traces / 2);
        w.strategy->estimate(&w.engine, &e);
        assert_true(e.total > k->traces * 0.4 && e.total < k->traces * 2.5);
        sim_worker_run(&w, 10000000);
        assert_int_equal(w.complete, k->traces);
        w.strategy->estimate(&w.engine, &e);
        assert_true(e.fraction > 0.999);
        sim_worker_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_is_exact),
        cmocka_unit_test(source_is_exact_but_blocks),
        cmocka_unit_test(the_older_engines_need_more),
        cmocka_unit_test(estimates_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
