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

/* Are words accessed in parts of different size? The unfoldings take such a word as one object. */
static bool mixes_sizes(const struct sim_program *p)
{
    uint8_t first[SIM_MEMORY / 8 + 8] = {0};
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++) {
            const struct sim_instr *x = &p->code[t][i];
            if (x->op > SIM_FREE)
                continue;
            uint8_t *word = &first[x->at / 8], part = (uint8_t)(x->size << 3 | (x->at & 7));
            if (x->index >= 0 || x->op == SIM_FREE || (*word && *word != part))
                return true;
            *word = part;
        }
    return false;
}

/* Are there descriptors of which only the kernel knows whether one can read: no pipes, or pipes of which an
 * end is closed? Who waits there is sent to look. */
static bool asks_kernel(const struct sim_program *p)
{
    bool reads = false, others = false, closes = false;
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++) {
            const struct sim_instr *x = &p->code[t][i];
            reads |= x->op == SIM_READ;
            others |= x->op == SIM_READ && (p->kind[x->imm] & 3) != SIM_PIPE;
            closes |= x->op == SIM_CLOSE;
        }
    return others || (reads && closes);
}

typedef void make_program(struct sim_program *p, uint64_t seed);

/* The same local states and deadlocks as dfs, and no more executions than optimal. */
static void compare(make_program *make, long programs, long least)
{
    long compared = 0, more = 0;
    uint64_t seed = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 0;
    static const char *const engines[] = {"context", "unfold"};
    for (long i = 0; i < programs; i++) {
        static struct sim_program p;
        struct tally all, some, traces;
        memset(&p, 0, sizeof p);
        make(&p, seed + (uint64_t)i);
        explore(&p, "dfs", 0, 20000, &all);
        explore(&p, "optimal", 0, 20000, &traces);
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
                if (traces.complete && some.executions > traces.executions && !mixes_sizes(&p) &&
                    !asks_kernel(&p)) {
                    printf("# seed %ld, %s: %ld executions, optimal has %ld\n", i, engines[e],
                           some.executions, traces.executions);
                    more++;
                }
            }
            forget(&some);
        }
        forget(&all);
        forget(&traces);
    }
    printf("# %ld comparisons\n", compared);
    assert_int_equal(more, 0);
    assert_true(compared > least);
}

static long how_many(long usually, long at_length)
{
    const char *count = getenv("RADDLE_COUNT");
    return count ? atol(count) : getenv("RADDLE_LONG") ? at_length : usually;
}

static void same_local_states(void **state)
{
    long programs = how_many(500, 20000);
    compare(sim_random_program, programs, programs / 2);
}

static void same_local_states_objects(void **state)
{
    long programs = how_many(300, 2000);
    compare(sim_random_objects, programs, programs / 10);
}

static void make_ports(struct sim_program *p, uint64_t seed)
{
    sim_random_family(p, seed, SIM_FAMILY_PORTS);
}

static void make_futexes(struct sim_program *p, uint64_t seed)
{
    sim_random_family(p, seed, SIM_FAMILY_FUTEXES);
}

static void make_monitors(struct sim_program *p, uint64_t seed)
{
    sim_random_family(p, seed, SIM_FAMILY_MONITORS);
}

/* Programs for which they once needed more executions than there are traces: two of three woken on a futex;
 * a deadlock that was executed, and later a thread that ends with a lock held. */
static void make_once_too_many(struct sim_program *p, uint64_t seed)
{
    static const uint64_t seeds[] = {100542, 14181957, 14181959};
    sim_random_objects(p, seeds[seed % 3]);
}

static void once_too_many(void **state)
{
    compare(make_once_too_many, 3, 5);
}

/* A deadlock that was taken for another one: a thread that holds no lock waits for one, too. */
static void make_with_bystander(struct sim_program *p, uint64_t seed)
{
    sim_random_program(p, 920250);
}

static void deadlock_with_bystander(void **state)
{
    compare(make_with_bystander, 1, 1);
}

static void same_local_states_ports(void **state)
{
    long programs = how_many(200, 2000);
    compare(make_ports, programs, programs / 2);
}

static void same_local_states_futexes(void **state)
{
    long programs = how_many(200, 2000);
    compare(make_futexes, programs, programs / 2);
}

static void same_local_states_monitors(void **state)
{
    long programs = how_many(200, 2000);
    compare(make_monitors, programs, programs / 2);
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
        cmocka_unit_test(same_local_states_objects),
        cmocka_unit_test(same_local_states_ports),
        cmocka_unit_test(same_local_states_futexes),
        cmocka_unit_test(same_local_states_monitors),
        cmocka_unit_test(once_too_many),
        cmocka_unit_test(deadlock_with_bystander),
        cmocka_unit_test(figures_of_the_thesis),
        cmocka_unit_test(never_more_than_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
