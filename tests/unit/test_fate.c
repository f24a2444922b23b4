/* The point of no return, on random programs of letters (letters.h), against brute force: every
 * continuation of every prefix of a failing schedule is tried by a recursion that knows nothing of the
 * engine. */
#include "letters.h"

#include "base/rng.h"
#include "explore/fate.h"

/* ---- brute force ---- */

struct state {
    int at[4], reg[4], x, owner[2], chosen, bug;
};

static struct state state_of(const struct sim *s)
{
    struct state r = {.x = s->x, .owner = {s->owner[0], s->owner[1]}, .chosen = s->chosen, .bug = s->bug};
    memcpy(r.at, s->at, sizeof r.at);
    memcpy(r.reg, s->reg, sizeof r.reg);
    return r;
}

static void set_state(struct sim *s, const struct state *r)
{
    memcpy(s->at, r->at, sizeof r->at);
    memcpy(s->reg, r->reg, sizeof r->reg);
    memcpy(s->owner, r->owner, sizeof r->owner);
    s->x = r->x;
    s->chosen = r->chosen;
    s->bug = r->bug;
}

/* A branch takes the value that is asked for. */
static int wanted;
static int wanted_value(struct engine *e, const struct event *op, int n)
{
    (void)e;
    (void)op;
    (void)n;
    return wanted;
}

static int is_over(const struct sim *s)
{
    for (int t = 0; t < s->p->threads; t++)
        if (next_op(s, t))
            return 0;
    return 1;
}

/* Does some continuation not fail? */
static int avoidable(struct sim *s)
{
    struct tset enabled;
    struct state here = state_of(s);
    enabled_set(s, &enabled);
    if (s->bug)
        return 0;
    if (is_over(s))
        return 1;
    TSET_FOR(t, &enabled)
        for (int value = 0; value < (next_op(s, t) == '?' ? 3 : 1); value++) {
            wanted = value;
            s->e.trace->step_count = 0;
            perform(s, t);
            int good = avoidable(s);
            set_state(s, &here);
            if (good)
                return 1;
        }
    return 0;
}

/* Of the first n steps of a schedule. A branch belongs to the step before it, but is a step of its own:
 * between the two every value is a continuation. */
static int prefix_avoidable(const struct program *p, const struct step *steps, uint32_t n, uint32_t count)
{
    struct sim s;
    struct engine_class with_values = {.branch = wanted_value};
    int good = 0;
    set_up(&s, p, "fate");
    s.c = &with_values;
    s.owner[0] = s.owner[1] = s.chosen = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (steps[i].branch)
            continue;
        int cut = i + 1 == n && i + 1 < count && steps[i + 1].branch;
        struct state before = state_of(&s);
        for (int value = cut ? 0 : 2; value < 3; value++) {
            set_state(&s, &before);
            wanted = cut ? value : i + 1 < count && steps[i + 1].branch ? steps[i + 1].pick : 0;
            s.e.trace->step_count = 0;
            perform(&s, steps[i].pick);
            good |= cut && avoidable(&s);
        }
        if (cut) {
            free(s.shared);
            return good;
        }
    }
    good = avoidable(&s);
    free(s.shared);
    return good;
}

/* ---- the engine ---- */

static struct fate_found fate_of(const struct program *p, const struct step *steps, uint32_t count)
{
    struct sim s;
    set_up(&s, p, "fate");
    memcpy(s.e.trace->steps, steps, count * sizeof *steps);
    s.shared->config.target_steps = count;
    assert_int_equal(s.c->init(&s.e), 0);
    int more = count > 0;
    while (more) {
        execute(&s);
        more = s.c->end(&s.e, OUTCOME_COMPLETE);
    }
    struct fate_found found = *(struct fate_found *)s.e.state;
    free(s.shared);
    return found;
}

/* ---- random programs ---- */

static void make_program(struct rng *r, struct program *p, char code[4][12])
{
    static const char *const parts[] = {"RW", "LRWU", "LMVU", "MLUV", "a", "R", "W", "LU", "?"};
    *p = (struct program){.threads = 3, .expect = (int)rng_below(r, 4)};
    strcpy(code[0], "J!");
    for (int t = 1; t < 3; t++) {
        code[t][0] = 0;
        int some = 1 + (int)rng_below(r, 2);
        for (int i = 0; i < some; i++)
            strcat(code[t], parts[rng_below(r, t == 1 ? 9 : 8)]);
    }
    for (int t = 0; t < 3; t++)
        p->code[t] = code[t];
}

/* A failing schedule, if a few random walks come upon one. */
static uint32_t failing(const struct program *p, uint64_t seed, struct step *out)
{
    struct sim s;
    uint32_t n = 0;
    set_up(&s, p, "random");
    s.shared->config.seed = seed;
    s.c->init(&s.e);
    for (int i = 0; i < 50 && !n; i++) {
        execute(&s);
        if (s.bug) {
            n = s.e.trace->step_count;
            memcpy(out, s.e.trace->steps, n * sizeof *out);
        }
        s.c->end(&s.e, OUTCOME_COMPLETE);
    }
    free(s.shared);
    return n;
}

static void as_brute_force(void **state)
{
    struct rng r;
    int compared = 0, between = 0, exact = 0;
    rng_seed(&r, 17);
    for (uint64_t i = 0; i < 1500; i++) {
        char code[4][12];
        struct program p;
        struct step steps[1000];
        make_program(&r, &p, code);
        uint32_t count = failing(&p, i + 1, steps);
        if (!count)
            continue;
        struct fate_found f = fate_of(&p, steps, count);
        int64_t first_doomed = count;
        while (first_doomed > 0 && !prefix_avoidable(&p, steps, (uint32_t)first_doomed - 1, count))
            first_doomed--;
        if (f.doomed < first_doomed || f.avoidable >= first_doomed)
            fail_msg("program %s %s, expect %d: between %lld and %lld, brute force %lld", code[1], code[2],
                     p.expect, (long long)f.avoidable, (long long)f.doomed, (long long)first_doomed);
        exact += f.doomed == first_doomed && f.avoidable == first_doomed - 1;
        between += first_doomed > 0 && first_doomed < count;
        compared++;
    }
    assert_true(compared > 500 && between > 200);
    assert_int_equal(exact, compared); /* these are small: nothing is unknown */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
