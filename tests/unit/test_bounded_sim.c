/* icb on random small programs with locks, conditions, semaphores, …: the Mazurkiewicz traces found
 * with at most c preemptions are exactly those that some interleaving with at most c preemptions
 * shows, with and without reductions. The reference walks through all interleavings and counts
 * preemptions by stepping a simulated machine. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOUNDS = 4, LIMIT = 4000 };

/* ---- preemptions of an execution, recounted ---- */

struct cursor {
    const struct trace *t;
    uint32_t at;
};

static int recorded_branch(void *ctx, const struct event *op, int n)
{
    struct cursor *c = ctx;
    return c->t->steps[c->at++].pick;
}

static void ignore(void *ctx, const struct event *ev)
{
}

static int holds(const struct sim_state *s, int last)
{
    struct event next;
    if (last < 0 || !sim_live(s, last) || !sim_enabled(s, last))
        return 0;
    sim_pending(s, last, &next);
    return next.kind != EV_COND_TIMEOUT;
}

static int recount(const struct sim_program *p, const struct trace *t)
{
    struct cursor c = {t, 0};
    struct sim_branches b = {.ask = recorded_branch, .ctx = &c};
    struct sim_log log = {ignore, NULL};
    static struct sim_state s;
    int last = -1, preemptions = 0;
    memset(&s, 0, sizeof s);
    sim_start(&s, p, &log, &b);
    while (c.at < t->step_count) {
        int pick = t->steps[c.at++].pick;
        preemptions += pick != last && holds(&s, last);
        sim_step(&s, pick, &log, &b);
        last = pick;
    }
    return preemptions;
}

/* ---- reference and search ---- */

static const struct sim_program *program;
static struct sim_set *ref;

/* dfs, looking at each execution before the engine changes its steps for the next. */
static int look_and_end(struct engine *e, enum outcome o)
{
    const struct trace *t = e->trace;
    if (o == OUTCOME_COMPLETE) {
        struct sim_trace_id id = sim_canonical(t->events, (int)t->event_count);
        for (int c = recount(program, t); c < BOUNDS; c++)
            sim_set_add(&ref[c], id);
    }
    return engine_find("dfs")->end(e, o);
}

/* Fills ref[c] with the traces of interleavings with at most c preemptions. Gives the number of
 * interleavings, -1 if there are too many. */
static long reference(const struct sim_program *p)
{
    struct sim_worker w;
    struct engine_class looking = *engine_find("dfs");
    int more = 1;
    looking.end = look_and_end;
    program = p;
    sim_worker_open(&w, p, "dfs", 0);
    w.strategy = &looking;
    w.collect = 0;
    while (more && w.complete <= LIMIT && !w.bounded)
        more = sim_worker_once(&w);
    long count = more || w.bounded ? -1 : w.complete;
    sim_worker_close(&w);
    return count;
}

struct result {
    struct sim_set seen;
    long executions, blocked;
    uint64_t states;
};

static void search(const struct sim_program *p, const char *engine, int bound, int cache,
                   struct result *r)
{
    struct sim_worker w;
    struct bound_stats stats;
    sim_worker_open(&w, p, "dfs", 0);
    w.strategy = engine_find(engine);
    w.config.bound = bound;
    w.config.cache = (uint8_t)cache;
    w.config.memory = 1 << 22;
    w.config.spill_fd = -1;
    w.engine.bounds = &stats;
    assert_int_equal(w.strategy->init(&w.engine), 0);
    sim_worker_run(&w, 10 * LIMIT);
    assert_true(stats.finished);
    *r = (struct result){w.seen, w.complete, w.blocked, stats.states[stats.bound]};
    w.seen = (struct sim_set){0};
    sim_worker_close(&w);
}

static int used;
static long total[3];

static void one_program(uint64_t seed)
{
    static struct sim_program p;
    struct sim_set sets[BOUNDS] = {{0}};
    ref = sets;
    sim_random_program(&p, seed);
    if (reference(&p) > 1) {
        used++;
        for (int c = 0; c < BOUNDS; c++)
            for (int kind = 0; kind < 3; kind++) {
                struct result r;
                search(&p, kind == 2 ? "bpor" : "icb", c, kind == 1, &r);
                if (!sim_set_equal(&r.seen, &ref[c]))
                    fail_msg("program %llu, bound %d, kind %d: %zu traces, %zu wanted",
                             (unsigned long long)seed, c, kind, r.seen.used, ref[c].used);
                total[kind] += r.executions + r.blocked;
                sim_set_free(&r.seen);
            }
    }
    for (int c = 0; c < BOUNDS; c++)
        sim_set_free(&ref[c]);
}

static void same_traces_at_every_bound(void **state)
{
    uint64_t programs = getenv("RADDLE_LONG") ? 20000 : 300;
    for (uint64_t seed = 1; seed <= programs; seed++)
        one_program(seed);
    assert_true(used > 60);
    print_message("# %d programs; executions: icb %ld, with cache %ld, with reduction %ld\n", used,
                  total[0], total[1], total[2]);
    assert_true(total[1] < total[0]);
    assert_true(total[2] < total[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_traces_at_every_bound)};
    return cmocka_run_group_tests_name("bounded on simulated programs", tests, NULL, NULL);
}
