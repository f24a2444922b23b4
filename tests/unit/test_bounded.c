/* icb and idb against an independent enumerator: for n threads of k steps the number of executions
 * with exactly c preemptions (delays), for all n·k ≤ 12 and all c. The enumerator counts by recursion
 * over what is left of each thread and knows nothing of engines. The engines are driven by a loop
 * that shares no code with the runtime. */
#include "explore/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_N = 12, MAX_C = 96 };

/* ---- the enumerator ---- */

struct count {
    uint64_t of[MAX_C]; /* [cost] */
};

static struct count *memo;
static int n_threads, k_steps;

static size_t slot_of(const int *left, int last)
{
    size_t at = 0;
    for (int i = 0; i < n_threads; i++)
        at = at * (size_t)(k_steps + 1) + (size_t)left[i];
    return at * (size_t)(n_threads + 1) + (size_t)(last + 1);
}

static int preemption_cost(const int *left, int last, int pick)
{
    return last >= 0 && pick != last && left[last] > 0;
}

/* How many threads that could go on are passed over, from the one whose turn it is. */
static int delay_cost(const int *left, int last, int pick)
{
    int turn = last < 0 ? 0 : last, cost = 0;
    for (int t = turn; t != pick; t = (t + 1) % n_threads)
        cost += left[t] > 0;
    return cost;
}

static struct count enumerate(int *left, int last, int (*cost)(const int *, int, int))
{
    struct count *m = &memo[slot_of(left, last)], sum = {{0}};
    int any = 0;
    if (m->of[0] != UINT64_MAX)
        return *m;
    for (int t = 0; t < n_threads; t++) {
        if (!left[t])
            continue;
        any = 1;
        int extra = cost(left, last, t);
        left[t]--;
        struct count c = enumerate(left, t, cost);
        left[t]++;
        for (int i = 0; i + extra < MAX_C; i++)
            sum.of[i + extra] += c.of[i];
        for (int i = MAX_C - extra; extra && i < MAX_C; i++)
            assert_int_equal(c.of[i], 0);
    }
    if (!any)
        sum.of[0] = 1;
    return *m = sum;
}

static struct count enumerated(int n, int k, int (*cost)(const int *, int, int))
{
    int left[MAX_N];
    size_t states = (size_t)(n + 1);
    n_threads = n;
    k_steps = k;
    for (int i = 0; i < n; i++) {
        left[i] = k;
        states *= (size_t)(k + 1);
    }
    memo = malloc(states * sizeof *memo);
    for (size_t i = 0; i < states; i++)
        memo[i].of[0] = UINT64_MAX;
    struct count c = enumerate(left, -1, cost);
    free(memo);
    return c;
}

/* Theorem 1 with b = 1: at most C(nk, c) (n + c)!. */
static double theorem_1(int n, int k, int c)
{
    double bound = 1;
    for (int i = 0; i < c; i++)
        bound = bound * (n * k - i) / (i + 1);
    for (int i = 2; i <= n + c; i++)
        bound *= i;
    return bound;
}

/* ---- the driver ---- */

struct driver {
    struct engine engine;
    const struct engine_class *strategy;
    struct run_config config;
    struct trace trace;
    struct arena arena;
    struct bound_stats bounds;
    uint64_t total;
};

#define ARENA (1ull << 30)

static void driver_open(struct driver *d, const char *name, int bound, uint64_t memory, int fd)
{
    memset(d, 0, sizeof *d);
    d->arena.base = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    d->arena.size = ARENA;
    d->trace.step_room = d->trace.event_room = 64;
    d->trace.steps = arena_alloc(&d->arena, 64 * sizeof *d->trace.steps);
    d->trace.events = arena_alloc(&d->arena, 64 * sizeof *d->trace.events);
    d->config.bound = bound;
    d->config.memory = memory;
    d->config.spill_fd = fd;
    d->strategy = engine_find(name);
    assert_non_null(d->strategy);
    d->engine = (struct engine){
        .config = &d->config, .trace = &d->trace, .arena = &d->arena, .bounds = &d->bounds};
    assert_int_equal(d->strategy->init(&d->engine), 0);
}

static void driver_close(struct driver *d)
{
    munmap(d->arena.base, ARENA);
}

/* One execution of n threads of k steps; gives its number of preemptions. */
static int execute(struct driver *d, int n, int k)
{
    struct tset enabled = {{0}};
    struct event next[MAX_N];
    int left[MAX_N], last = -1, preemptions = 0;
    struct trace *t = &d->trace;
    for (int i = 0; i < n; i++) {
        tset_add(&enabled, i);
        left[i] = k;
        next[i] = (struct event){.kind = EV_RMW, .thread = (uint16_t)i, .object = 8, .size = 4};
    }
    t->step_count = t->event_count = 0;
    d->strategy->begin(&d->engine);
    while (!tset_empty(&enabled)) {
        struct decision dec = {&enabled, next, &enabled, last, n};
        int pick = t->step_count < t->prefix ? t->steps[t->step_count].pick
                                             : d->strategy->choose(&d->engine, &dec);
        assert_true(pick >= 0 && pick < n && left[pick] > 0);
        preemptions += preemption_cost(left, last, pick);
        t->steps[t->step_count++] =
            (struct step){.pick = (uint16_t)pick, .event = t->event_count};
        t->events[t->event_count++] = next[pick];
        if (--left[pick] == 0)
            tset_remove(&enabled, pick);
        last = pick;
    }
    return preemptions;
}

/* The whole search; executions must come in order of preemptions if `in_order`. */
static void search(struct driver *d, int n, int k, int in_order)
{
    int more, before = 0;
    do {
        n_threads = n;
        int c = execute(d, n, k);
        if (in_order)
            assert_true(c >= before);
        before = c;
        d->total++;
        more = d->strategy->end(&d->engine, OUTCOME_COMPLETE);
    } while (more);
    assert_true(d->bounds.finished);
}

static int too_long(int n, int k)
{
    return k == 1 && n > 9 && !getenv("RADDLE_LONG");
}

static void check_counts(const char *engine, int (*cost)(const int *, int, int), int in_order)
{
    for (int n = 1; n <= 12; n++)
        for (int k = 1; n * k <= 12; k++) {
            struct driver d;
            if (too_long(n, k))
                continue;
            struct count want = enumerated(n, k, cost);
            driver_open(&d, engine, -1, 1 << 20, fileno(tmpfile()));
            search(&d, n, k, in_order);
            uint64_t sum = 0;
            for (int c = MAX_C - 1; c >= BOUND_STATS; c--)
                want.of[BOUND_STATS - 1] += want.of[c]; /* "or more" */
            for (int c = 0; c < BOUND_STATS; c++) {
                assert_int_equal(d.bounds.executions[c], want.of[c]);
                if (in_order)
                    assert_true((double)want.of[c] <= theorem_1(n, k, c));
                sum += want.of[c];
            }
            assert_int_equal(d.total, sum);
            assert_false(d.bounds.left_over);
            driver_close(&d);
        }
}

static void icb_counts(void **state)
{
    check_counts("icb", preemption_cost, 1);
}

static void idb_counts(void **state)
{
    check_counts("idb", delay_cost, 0);
}

static void a_bound_stops(void **state)
{
    struct count want = enumerated(3, 4, preemption_cost);
    for (int bound = 0; bound < 9; bound++) {
        struct driver d;
        uint64_t sum = 0;
        driver_open(&d, "icb", bound, 1 << 20, -1);
        search(&d, 3, 4, 1);
        for (int c = 0; c <= bound; c++)
            sum += want.of[c];
        assert_int_equal(d.total, sum);
        uint64_t beyond = 0;
        for (int c = bound + 1; c < MAX_C; c++)
            beyond += want.of[c];
        assert_int_equal(d.bounds.left_over, beyond > 0);
        driver_close(&d);
    }
}

/* The same search with next to no memory goes through the file. */
static void spills_to_disk(void **state)
{
    struct driver small, large;
    driver_open(&small, "icb", -1, 8192, fileno(tmpfile()));
    driver_open(&large, "icb", -1, 64 << 20, -1);
    search(&small, 4, 3, 1);
    search(&large, 4, 3, 1);
    assert_int_equal(small.total, 369600);
    assert_int_equal(large.total, 369600);
    assert_memory_equal(small.bounds.executions, large.bounds.executions,
                        sizeof small.bounds.executions);
    driver_close(&small);
    driver_close(&large);
}

/* No room and no file: every bound up to the loss is done, and the search says that more is left. */
static void no_room_is_said(void **state)
{
    struct driver d;
    struct count want = enumerated(4, 3, preemption_cost);
    driver_open(&d, "icb", -1, 8192, -1);
    search(&d, 4, 3, 1);
    assert_true(d.bounds.left_over);
    for (uint32_t c = 0; c <= d.bounds.bound; c++)
        assert_int_equal(d.bounds.executions[c], want.of[c]);
    assert_true(d.total < 369600);
    driver_close(&d);
}

static void random_engines_repeat(void **state)
{
    static const char *const names[] = {"random", "pct", "pos"};
    for (int i = 0; i < 3; i++) {
        uint64_t hash[2] = {0, 0};
        for (int round = 0; round < 2; round++) {
            struct driver d;
            driver_open(&d, names[i], -1, 1 << 20, -1);
            for (int x = 0; x < 1000; x++) {
                execute(&d, 3, 4);
                for (uint32_t s = 0; s < d.trace.step_count; s++)
                    hash[round] = (hash[round] + d.trace.steps[s].pick + 1) * 0x9e3779b97f4a7c15u;
                assert_int_equal(d.strategy->end(&d.engine, OUTCOME_COMPLETE), 1);
            }
            driver_close(&d);
        }
        assert_int_equal(hash[0], hash[1]);
    }
}

/* PCT's promise: each schedule that d-1 preemptions at fixed steps can reach shows often enough. With
 * d = 1 an execution is a permutation of the threads, each equally likely. */
static void pct_permutes(void **state)
{
    struct driver d;
    int seen[6] = {0};
    driver_open(&d, "pct", -1, 1 << 20, -1);
    d.config.pct_depth = 1;
    assert_int_equal(d.strategy->init(&d.engine), 0);
    for (int x = 0; x < 6000; x++) {
        assert_int_equal(execute(&d, 3, 4), 0);
        int a = d.trace.steps[0].pick, b = d.trace.steps[4].pick;
        seen[a * 2 + (b > a ? b - 1 : b)]++;
        d.strategy->end(&d.engine, OUTCOME_COMPLETE);
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[i], 850, 1150);
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(icb_counts),
        cmocka_unit_test(idb_counts),
        cmocka_unit_test(a_bound_stops),
        cmocka_unit_test(spills_to_disk),
        cmocka_unit_test(no_room_is_said),
        cmocka_unit_test(random_engines_repeat),
        cmocka_unit_test(pct_permutes),
    };
    return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
