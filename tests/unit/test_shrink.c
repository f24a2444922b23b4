/* The shrink engine on simulated programs: each thread is a string of operations, the simulator plays
 * the runtime's part. Letters: a…z step without effect; L/U lock and unlock of one mutex; R reads
 * x into the thread's register; W writes register+1 to x; ? a branch of three; ! fails if x is not
 * `expect` (or, with a branch, if the branch was not 2). */
#include "base/mem.h"
#include "explore/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PC 0x1234

struct program {
    const char *code[4];
    int threads, expect;
};

struct sim {
    const struct program *p;
    struct shared *shared;
    struct engine e;
    const struct engine_class *c;
    int at[4], reg[4], x, owner, chosen;
    int last, bug;
};

static char next_op(const struct sim *s, int t)
{
    return s->p->code[t][s->at[t]];
}

static void enabled_set(const struct sim *s, struct tset *enabled)
{
    *enabled = (struct tset){0};
    for (int t = 0; t < s->p->threads; t++) {
        char op = next_op(s, t);
        int others_done = 1;
        for (int u = 0; u < s->p->threads; u++)
            others_done &= u == t || !next_op(s, u);
        if (op && !(op == 'L' && s->owner >= 0) && !(op == 'J' && !others_done))
            tset_add(enabled, t);
    }
}

static void add_step(struct sim *s, int pick, int branch)
{
    struct trace *t = s->e.trace;
    t->steps[t->step_count++] = (struct step){.pick = (uint16_t)pick, .branch = (uint16_t)branch};
}

static void report_bug(struct sim *s)
{
    struct finding *f = &s->shared->findings[0];
    s->shared->finding_count = 1;
    *f = (struct finding){.kind = FINDING_ASSERT, .pc = PC, .seen = f->seen + 1, .steps = f->steps,
                          .step_count = f->step_count, .preemptions = f->preemptions};
    s->bug = 1;
}

static void perform(struct sim *s, int t)
{
    char op = s->p->code[t][s->at[t]++];
    if (op == 'L')
        s->owner = t;
    else if (op == 'U')
        s->owner = -1;
    else if (op == 'R')
        s->reg[t] = s->x;
    else if (op == 'W')
        s->x = s->reg[t] + 1;
    else if (op == '!' && (s->chosen >= 0 ? s->chosen == 2 : s->x != s->p->expect))
        report_bug(s);
    else if (op == '?') {
        struct event ev = {.kind = EV_CHOOSE, .thread = (uint16_t)t};
        s->chosen = s->c->branch(&s->e, &ev, 3);
        add_step(s, s->chosen, 3);
    }
}

static void execute(struct sim *s)
{
    struct tset enabled, live = {0};
    struct event next[4];
    memset(next, 0, sizeof next);
    memset(s->at, 0, sizeof s->at);
    s->x = s->bug = 0;
    s->owner = s->last = s->chosen = -1;
    s->e.trace->step_count = 0;
    s->c->begin(&s->e);
    for (enabled_set(s, &enabled); !tset_empty(&enabled) && !s->bug; enabled_set(s, &enabled)) {
        struct decision d = {.enabled = &enabled, .live = &live, .next = next, .last = s->last,
                             .threads = s->p->threads};
        int pick = s->c->choose(&s->e, &d);
        assert_true(tset_has(&enabled, pick));
        add_step(s, pick, 0);
        s->last = pick;
        perform(s, pick);
    }
}

static void set_up(struct sim *s, const struct program *p, const char *engine)
{
    static char memory[8 << 20] __attribute__((aligned(64)));
    memset(memory, 0, sizeof memory);
    *s = (struct sim){.p = p, .shared = mem_alloc(sizeof(struct shared)), .c = engine_find(engine)};
    assert_non_null(s->c);
    struct trace *t = &s->shared->trace;
    s->shared->arena = (struct arena){.base = memory, .size = sizeof memory};
    t->step_room = 1000;
    t->steps = arena_alloc(&s->shared->arena, t->step_room * sizeof *t->steps);
    s->e = (struct engine){.config = &s->shared->config, .trace = t, .arena = &s->shared->arena};
}

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
