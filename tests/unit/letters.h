/* Programs of letters, for engines that work on the schedule of a failure: each thread is a string of
 * operations, the simulator plays the runtime's part. Letters: a…z step without effect; L/U lock and
 * unlock of one mutex, M/V of another; R reads x into the thread's register; W writes register+1 to x; J
 * waits until all others have ended; ? a branch of three; ! fails if x is not `expect` (or, with a
 * branch, if the branch was not 2). A state in which nobody can go on is a failure too. */
#ifndef TESTS_LETTERS_H
#define TESTS_LETTERS_H

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
    int at[4], reg[4], x, owner[2], chosen;
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
        if (op && !(op == 'L' && s->owner[0] >= 0) && !(op == 'M' && s->owner[1] >= 0) &&
            !(op == 'J' && !others_done))
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
    if (op == 'L' || op == 'M')
        s->owner[op == 'M'] = t;
    else if (op == 'U' || op == 'V')
        s->owner[op == 'V'] = -1;
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
    memset(s->reg, 0, sizeof s->reg);
    s->x = s->bug = 0;
    s->owner[0] = s->owner[1] = s->last = s->chosen = -1;
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
    for (int t = 0; t < s->p->threads; t++)
        if (!s->bug && next_op(s, t))
            report_bug(s);
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

#endif
