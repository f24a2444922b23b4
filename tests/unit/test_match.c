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

static uint64_t steps_asleep, steps_awake; /* in all graphs, with sleep sets and without */
static uint64_t states_seen, states_all;   /* found, and those of them that are looked at without --states */

static void compare_with_all(const struct tally *some, const struct tally *all, const char *name)
{
    if (!sim_set_equal(&all->states, &some->states))
        fail_msg("%s: %zu local states, dfs has %zu", name, some->states.used, all->states.used);
    if (!sim_set_equal(&all->deadlocks, &some->deadlocks))
        fail_msg("%s: %zu deadlocks, dfs has %zu", name, some->deadlocks.used, all->deadlocks.used);
    if (some->finals >= 0 && some->finals != all->finals)
        fail_msg("%s: %ld final states, dfs has %ld", name, some->finals, all->finals);
}

static bool locks(const struct sim_program *p)
{
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++)
            if (p->code[t][i].op >= SIM_LOCK && p->code[t][i].op <= SIM_TIMEDLOCK)
                return true;
    return false;
}

/* Both engines, each with the whole graph of states and without: their nets have to have the same size, and
 * without the graph (with sleep sets) as many states are found, or fewer where variables are touched under a
 * mutex. How many of the four finished. */
static long compare(const struct sim_program *p, int match, long seed, const struct tally *all)
{
    struct tally some[4];
    long complete = 0;
    for (int k = 0; k < 4; k++) {
        char name[96];
        const char *engine = k & 1 ? "stateful-unfold" : "stateful";
        snprintf(name, sizeof name, "seed %ld, %s, match %d", seed, engine, match);
        explore_graph(p, engine, match, k > 1, 20000, &some[k]);
        complete += some[k].complete;
        if (some[k].complete)
            compare_with_all(&some[k], all, name);
        if (k && complete == k + 1 && (some[0].places != some[k].places || some[0].moves != some[k].moves))
            fail_msg("%s: a net of %llu places and %llu transitions, not %llu and %llu", name,
                     (unsigned long long)some[k].places, (unsigned long long)some[k].moves,
                     (unsigned long long)some[0].places, (unsigned long long)some[0].moves);
        forget(&some[k]);
    }
    bool fewer = locks(p) && some[0].graph_states < some[2].graph_states;
    if (complete == 4 && ((!fewer && some[0].graph_states != some[2].graph_states) ||
                          some[2].graph_states != some[3].graph_states))
        fail_msg("seed %ld, match %d: %llu states with sleep sets, %llu without, %llu", seed, match,
                 (unsigned long long)some[0].graph_states, (unsigned long long)some[2].graph_states,
                 (unsigned long long)some[3].graph_states);
    steps_asleep += some[0].graph_steps;
    steps_awake += some[2].graph_steps;
    states_seen += some[0].graph_states;
    states_all += some[2].graph_states;
    return complete;
}

static long compare_program(void (*random)(struct sim_program *p, uint64_t seed), uint64_t seed)
{
    static struct sim_program p;
    struct tally all;
    long compared = 0, finals[2];
    memset(&p, 0, sizeof p);
    random(&p, seed);
    explore(&p, "dfs", 0, 20000, &all);
    bool whole = all.complete && final_states(&p, 20000, finals);
    for (int match = 0; whole && match < 2; match++) {
        all.finals = finals[match];
        compared += compare(&p, match, (long)seed, &all);
    }
    forget(&all);
    return compared;
}

/* So many random programs of a kind; how many comparisons. */
static long compare_programs(void (*random)(struct sim_program *p, uint64_t seed), long programs)
{
    long compared = 0;
    uint64_t seed = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 0;
    steps_asleep = steps_awake = states_seen = states_all = 0;
    for (long i = 0; i < programs; i++)
        compared += compare_program(random, seed + (uint64_t)i);
    printf("# %ld comparisons, %llu steps with sleep sets, %llu without; %llu of %llu states\n", compared,
           (unsigned long long)steps_asleep, (unsigned long long)steps_awake,
           (unsigned long long)states_seen, (unsigned long long)states_all);
    assert_true(compared > programs / 2);
    return compared;
}

static long programs_of(long usual)
{
    const char *wanted = getenv("RADDLE_PROGRAMS");
    return wanted ? strtol(wanted, NULL, 0) : getenv("RADDLE_LONG") ? 40 * usual : usual;
}

static void same_states(void **state)
{
    long programs = programs_of(500);
    compare_programs(sim_random_program, programs);
    assert_true(programs < 500 || steps_asleep * 20 < steps_awake * 19);
}

/* What main does after a join was never shown by an execution that had taken main's other choice. */
static void only_seen_waiting(void **state)
{
    assert_int_equal(compare_program(sim_random_program, 153118058), 8);
}

/* Where a thread holds what everybody holds who touches a variable, nobody need go on before it has. */
static void same_states_guarded(void **state)
{
    long programs = programs_of(300);
    compare_programs(sim_random_guarded, programs);
    assert_true(programs < 300 || states_seen * 10 < states_all * 9);
}

/* States that are come to in ways which are not equivalent, so with other threads asleep. */
static void same_states_of_writes(void **state)
{
    compare_programs(sim_random_writes, programs_of(300));
}

/* --match states on a program with loops: what threads have of their own, deadlocks and final states are
 * those of an enumerator of all states. True: the search was complete. */
static bool compare_loops(const struct sim_program *p, const char *engine, long seed,
                          const struct sim_reached *all, long *rounds)
{
    static struct sim_worker w;
    struct state_graph graph = {0};
    long n = 0;
    int more = 1;
    sim_worker_open_matching(&w, p, engine, 1, seed & 1 ? MATCH_EXACT : MATCH_STATES);
    w.engine.graph = &graph;
    w.collect = 0;
    while (more && n++ < 5000)
        more = sim_worker_once(&w);
    bool complete = !more && !w.engine.incomplete && !w.bounded;
    if (complete && !sim_set_equal(&all->locals, &w.locals))
        fail_msg("seed %ld, %s: %zu local states, there are %zu", seed, engine, w.locals.used,
                 all->locals.used);
    if (complete && !sim_set_equal(&all->stuck, &w.stuck))
        fail_msg("seed %ld, %s: %zu deadlocks, there are %zu", seed, engine, w.stuck.used, all->stuck.used);
    if (complete && (long)graph.finals != all->finals)
        fail_msg("seed %ld, %s: %ld final states, there are %ld", seed, engine, (long)graph.finals,
                 all->finals);
    *rounds += w.rounds;
    sim_worker_close(&w);
    return complete;
}

static void same_states_of_loops(void **state)
{
    long programs = getenv("RADDLE_PROGRAMS") ? strtol(getenv("RADDLE_PROGRAMS"), NULL, 0) : 300;
    uint64_t seed = getenv("RADDLE_SEED") ? strtoull(getenv("RADDLE_SEED"), NULL, 0) : 0;
    long compared = 0, rounds = 0;
    for (long i = 0; i < programs; i++) {
        static struct sim_program p;
        struct sim_reached all;
        sim_random_loops(&p, seed + (uint64_t)i);
        if (sim_reach(&p, 2000, &all)) {
            compared += compare_loops(&p, "stateful", (long)seed + i, &all, &rounds);
            compared += compare_loops(&p, "stateful-unfold", (long)seed + i, &all, &rounds);
        }
        sim_reached_free(&all);
    }
    printf("# %ld comparisons, %ld livelocks\n", compared, rounds);
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
        cmocka_unit_test(only_seen_waiting),
        cmocka_unit_test(same_states_guarded),
        cmocka_unit_test(same_states_of_writes),
        cmocka_unit_test(same_states_of_loops),
        cmocka_unit_test(figures_of_the_thesis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
