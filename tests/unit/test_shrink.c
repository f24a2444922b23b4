/* The shrink engine on programs of letters (letters.h). */
#include "letters.h"

/* A failing schedule by random walk, as a text of picks. */
static uint32_t random_failure(const struct program *p, uint64_t seed, struct step *out)
{
    struct sim s;
    set_up(&s, p, "random");
    s.shared->config.seed = seed;
    s.c->init(&s.e);
    for (int i = 0; i < 10000; i++) {
        execute(&s);
        if (s.bug) {
            uint32_t n = s.e.trace->step_count;
            memcpy(out, s.e.trace->steps, n * sizeof *out);
            free(s.shared);
            return n;
        }
        s.c->end(&s.e, OUTCOME_COMPLETE);
    }
    fail_msg("the program has no bug");
    return 0;
}

static struct finding shrink(const struct program *p, const struct step *steps, uint32_t count,
                             int tries, struct step *out)
{
    struct sim s;
    set_up(&s, p, "shrink");
    memcpy(s.e.trace->steps, steps, count * sizeof *steps);
    s.shared->config.target = (struct finding_id){.kind = FINDING_ASSERT, .pc = PC};
    s.shared->config.target_steps = count;
    s.shared->config.tries = (uint32_t)tries;
    assert_int_equal(s.c->init(&s.e), 0);
    int more = 1, executions = 0;
    while (more) {
        execute(&s);
        more = s.c->end(&s.e, OUTCOME_COMPLETE);
        assert_true(++executions <= tries + 1);
    }
    struct finding f = s.shared->findings[0];
    memcpy(out, f.steps, f.step_count * sizeof *out);
    free(s.shared);
    return f;
}

static int replays(const struct program *p, const struct step *steps, uint32_t count)
{
    struct sim s;
    set_up(&s, p, "shrink");
    memcpy(s.e.trace->steps, steps, count * sizeof *steps);
    s.shared->config.target_steps = count;
    s.c->init(&s.e);
    execute(&s);
    int bug = s.bug && !memcmp(s.e.trace->steps, steps, count * sizeof *steps);
    free(s.shared);
    return bug;
}

static const struct program lost_update = {
    .code = {"aaJ!", "bbbbbbRccccccWbbbb", "bbbbLddUbbRccccWddd"}, .threads = 3, .expect = 2};

static void drops_preemptions(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct step given[1000], out[1000];
        uint32_t n = random_failure(&lost_update, seed, given);
        struct finding f = shrink(&lost_update, given, n, 5000, out);
        assert_int_equal(f.preemptions, 1);
        assert_true(replays(&lost_update, out, f.step_count));
    }
}

static void needs_no_preemption(void **state)
{
    static const struct program wrong = {.code = {"aaaaJ!", "bbbbbRWbb", "ccccc"}, .threads = 3, .expect = 2};
    struct step given[1000], out[1000];
    uint32_t n = random_failure(&wrong, 3, given);
    struct finding f = shrink(&wrong, given, n, 5000, out);
    assert_int_equal(f.preemptions, 0);
    assert_true(replays(&wrong, out, f.step_count));
}

static void keeps_branches(void **state)
{
    static const struct program chooses = {.code = {"aaaJ!", "bb?bb", "ccccc"}, .threads = 3};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct step given[1000], out[1000];
        uint32_t n = random_failure(&chooses, seed, given);
        struct finding f = shrink(&chooses, given, n, 5000, out);
        assert_int_equal(f.preemptions, 0);
        assert_true(replays(&chooses, out, f.step_count));
    }
}

static void bounded(void **state)
{
    struct step given[1000], out[1000];
    uint32_t n = random_failure(&lost_update, 1, given);
    struct finding f = shrink(&lost_update, given, n, 0, out);
    assert_int_equal(f.step_count, n);
    assert_memory_equal(out, given, n * sizeof *out);
    assert_true(f.preemptions > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_preemptions),
        cmocka_unit_test(needs_no_preemption),
        cmocka_unit_test(keeps_branches),
        cmocka_unit_test(bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
