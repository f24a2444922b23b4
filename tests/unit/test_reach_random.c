/* Random programs over all constructs: the set of SYN-sequences that the reach engine exercises equals
 * brute force, each exactly once, whatever the seed. */
#include "reach_random.h"

struct tally {
    size_t complete, partial, twice, unknown;
};

static struct tally search(const struct sim_program *p, const struct brute *truth, uint64_t seed,
                           const char *options)
{
    struct bench b;
    struct set seen = {0};
    struct tally tally = {0};
    bench_open(&b, seed, options);
    struct reach *st = b.e.state;
    bind_conditions(&st->record);
    bool more = true;
    while (more && tally.complete < truth->complete.count * 3 + 10) {
        struct sim s;
        bool complete = run(&b, &s, p);
        assert_false(st->lost);
        assert_false(st->record.full);
        uint64_t f = sim_fingerprint(&s) | 1;
        if (st->record.rebound) {
            free(seen.slot);
            seen = (struct set){0};
            tally = (struct tally){0};
        } else if (!complete) {
            tally.partial++;
        } else {
            tally.complete++;
            tally.twice += !set_add(&seen, f);
            tally.unknown += !set_has(&truth->complete, f);
        }
        more = engine_reach.end(&b.e, complete ? OUTCOME_COMPLETE : OUTCOME_ABANDONED);
    }
    free(seen.slot);
    bench_close(&b);
    return tally;
}

static void check_program(const struct sim_program *p, uint64_t number, const char *options,
                          size_t *partial, size_t *sequences)
{
    struct brute truth = {.limit = 20000};
    explore_step(&truth, &(struct sim){0}, p, -1);
    if (truth.seen.count <= truth.limit && truth.complete.count <= 3000)
        for (uint64_t seed = 1; seed <= 2; seed++) {
            struct tally t = search(p, &truth, seed, options);
            if (t.complete != truth.complete.count || t.twice || t.unknown)
                fail_msg("program %lu, seed %lu: %zu sequences (%zu twice, %zu unknown), brute force "
                         "has %zu", number, seed, t.complete, t.twice, t.unknown,
                         truth.complete.count);
            *partial += t.partial;
            *sequences += t.complete;
        }
    free(truth.seen.slot);
    free(truth.complete.slot);
}

static void check_kinds_with(unsigned kinds, int programs, const char *options)
{
    size_t partial = 0, sequences = 0;
    for (int i = 0; i < programs; i++) {
        struct rng r;
        rng_seed(&r, (uint64_t)i * 7919 + kinds);
        struct sim_program p = random_program(&r, kinds);
        check_program(&p, (uint64_t)i, options, &partial, &sequences);
    }
    print_message("# %d programs, %zu sequences, %zu partial runs\n", programs, sequences, partial);
}

static void check_kinds(unsigned kinds, int programs)
{
    check_kinds_with(kinds, programs, "");
}

static int programs(void)
{
    return getenv("RADDLE_LONG") ? 20000 : 600;
}

#define BIT(k) (1u << (k))

static void semaphores(void **state)
{
    check_kinds(BIT(I_P) | BIT(I_V) | BIT(I_BP) | BIT(I_BV), programs());
}

static void failing_attempts(void **state)
{
    check_kinds(BIT(I_P) | BIT(I_V) | BIT(I_TRY) | BIT(I_RMW), programs());
}

static void variables(void **state)
{
    check_kinds(BIT(I_READ) | BIT(I_WRITE), programs());
    check_kinds(BIT(I_READ) | BIT(I_WRITE) | BIT(I_RMW), programs());
    check_kinds(BIT(I_READ) | BIT(I_WRITE) | BIT(I_P) | BIT(I_V) | BIT(I_TRY), programs());
}

static void exchanges(void **state)
{
    check_kinds(BIT(I_CAS), programs());
    check_kinds(BIT(I_CAS) | BIT(I_READ) | BIT(I_WRITE), programs());
    check_kinds(BIT(I_CAS) | BIT(I_RMW) | BIT(I_P) | BIT(I_V) | BIT(I_TRY), programs());
}

static void monitors(void **state)
{
    check_kinds(BIT(I_MONITOR) | BIT(I_V) | BIT(I_P), programs());
}

static void conditions(void **state)
{
    check_kinds(BIT(I_CV) | BIT(I_RMW), programs());
}

static void ports(void **state)
{
    check_kinds(BIT(I_SEND) | BIT(I_RECEIVE), programs());
}

static void ports_and_semaphores(void **state)
{
    check_kinds(BIT(I_SEND) | BIT(I_RECEIVE) | BIT(I_P) | BIT(I_V), programs());
}

static void everything(void **state)
{
    check_kinds(BIT(I_KINDS) - 1, programs());
}

/* The earlier algorithm, which keeps the sequences. */
static void history(void **state)
{
    check_kinds_with(BIT(I_P) | BIT(I_V) | BIT(I_BP) | BIT(I_BV), programs() / 4, "history=on");
    check_kinds_with(BIT(I_MONITOR) | BIT(I_P) | BIT(I_V), programs() / 4, "history=on");
    check_kinds_with(BIT(I_SEND) | BIT(I_RECEIVE) | BIT(I_V), programs() / 4, "history=on");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(semaphores), cmocka_unit_test(failing_attempts),
        cmocka_unit_test(variables),  cmocka_unit_test(exchanges),
        cmocka_unit_test(monitors),   cmocka_unit_test(conditions),
        cmocka_unit_test(ports),      cmocka_unit_test(ports_and_semaphores),
        cmocka_unit_test(everything), cmocka_unit_test(history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
