/* Reachability testing shared by several workers: whoever is given what when, and whoever dies, every
 * SYN-sequence is exercised once, and all that is counted is what one worker counts, also with the P/V
 * reduction, whose result depends on the order of events. The workers talk through the pool,
 * all that passes between them is bytes. RADDLE_LONG: more. */
#include "reach_random.h"

#include "farm/pool.h"

enum { WORKERS = 3, MAIL = 1 << 22, FOUND = 4096 };

struct member {
    struct bench b;
    struct work mail, saved;
    bool busy;
    size_t complete, partial, saved_complete, saved_partial;
    uint64_t found[FOUND];
};

struct team {
    struct pool pool;
    struct member m[WORKERS];
    const struct sim_program *p;
    struct rng rng;
    struct work answer;
    const char *options;
};

static struct reach *state_of(struct member *m)
{
    return m->b.e.state;
}

static void open_member(struct team *t, struct member *m)
{
    bench_open(&m->b, 3, t->options);
    bind_conditions(&state_of(m)->record);
}

static void save(struct member *m)
{
    m->saved_complete = m->complete;
    m->saved_partial = m->partial;
    m->saved.length = 0;
    if (m->busy)
        assert_true(engine_reach.save(&m->b.e, &m->saved));
}

static void die(struct team *t, struct member *m)
{
    bench_close(&m->b);
    open_member(t, m);
    m->busy = m->saved.length > 0;
    struct work item = m->saved;
    if (m->busy)
        assert_int_equal(engine_reach.adopt(&m->b.e, &item), 0);
    m->complete = m->saved_complete;
    m->partial = m->saved_partial;
}

static void tell(struct team *t, struct member *m)
{
    assert_int_equal(pool_tell(&t->pool, &m->mail, !m->busy), 0);
}

static void take(struct team *t, struct member *m)
{
    if (!pool_take(&t->pool, &t->answer))
        return;
    assert_int_equal(engine_reach.adopt(&m->b.e, &t->answer), 0);
    m->busy = true;
    save(m);
}

static void go_on(struct team *t, struct member *m)
{
    struct sim s;
    bool complete = run(&m->b, &s, t->p);
    assert_false(state_of(m)->lost || state_of(m)->record.full || state_of(m)->record.rebound);
    if (complete && m->complete < FOUND)
        m->found[m->complete] = sim_fingerprint(&s) | 1;
    m->complete += complete;
    m->partial += !complete;
    m->busy = engine_reach.end(&m->b.e, complete ? OUTCOME_COMPLETE : OUTCOME_ABANDONED);
    if (rng_below(&t->rng, 20) == 0) {
        die(t, m); /* before anybody heard of it */
        return;
    }
    if (engine_reach.give(&m->b.e, m->busy ? GIVE_AFTER : GIVE_LAST, &m->mail))
        tell(t, m);
    if (!m->busy) {
        save(m);
    } else if (rng_below(&t->rng, 3) == 0 && engine_reach.give(&m->b.e, GIVE_PART, &m->mail)) {
        tell(t, m);
        save(m);
    } else if (rng_below(&t->rng, 8) == 0) {
        save(m);
    }
}

static struct work mailbox(void)
{
    return (struct work){.bytes = malloc(MAIL), .room = MAIL};
}

static void run_team(struct team *t)
{
    pool_init(&t->pool, 0);
    for (int i = 0; i < WORKERS; i++) {
        open_member(t, &t->m[i]);
        t->m[i].mail = mailbox();
        t->m[i].saved = mailbox();
    }
    while (!pool_finished(&t->pool)) {
        struct member *m = &t->m[rng_below(&t->rng, WORKERS)];
        if (m->busy)
            go_on(t, m);
        else
            take(t, m);
    }
}

static void close_team(struct team *t)
{
    for (int i = 0; i < WORKERS; i++) {
        bench_close(&t->m[i].b);
        free(t->m[i].mail.bytes);
        free(t->m[i].saved.bytes);
    }
    free(t->answer.bytes);
    pool_free(&t->pool);
}

/* The counts of one worker. */
static void run_alone(const struct sim_program *p, const char *options, size_t *complete,
                      size_t *partial)
{
    struct bench b;
    struct sim s;
    bench_open(&b, 3, options);
    bind_conditions(&((struct reach *)b.e.state)->record);
    *complete = *partial = 0;
    bool whole;
    do {
        whole = run(&b, &s, p);
        *complete += whole;
        *partial += !whole;
    } while (*complete < FOUND && engine_reach.end(&b.e, whole ? OUTCOME_COMPLETE : OUTCOME_ABANDONED));
    bench_close(&b);
}

static size_t check_shared(const struct sim_program *p, uint64_t number, const char *options)
{
    static struct team t;
    struct set seen = {0};
    size_t complete, partial, all = 0, blocked = 0, twice = 0;
    run_alone(p, options, &complete, &partial);
    if (complete >= 1000)
        return 0;
    t = (struct team){.p = p, .options = options};
    rng_seed(&t.rng, number);
    run_team(&t);
    for (int i = 0; i < WORKERS; i++) {
        all += t.m[i].complete;
        blocked += t.m[i].partial;
        for (size_t k = 0; k < t.m[i].complete && k < FOUND; k++)
            twice += !set_add(&seen, t.m[i].found[k]);
    }
    size_t splits = t.pool.gifts;
    close_team(&t);
    free(seen.slot);
    if (all != complete || blocked != partial || twice)
        fail_msg("program %lu, '%s': %zu sequences and %zu partial runs, %zu twice; alone %zu and %zu",
                 number, options, all, blocked, twice, complete, partial);
    return splits;
}

static void random_programs(void **state)
{
    size_t splits = 0, number = getenv("RADDLE_LONG") ? 4000 : 250;
    const unsigned semaphores = 1u << I_P | 1u << I_V;
    const unsigned kinds[] = {(1u << I_KINDS) - 1, 1u << I_SEND | 1u << I_RECEIVE,
                              1u << I_CV | 1u << I_RMW, 1u << I_MONITOR | semaphores};
    for (uint64_t i = 0; i < number; i++) {
        struct rng r;
        rng_seed(&r, i * 31 + 5);
        struct sim_program p = random_program(&r, kinds[i % 4]);
        splits += check_shared(&p, i, "");
        p = random_program(&r, semaphores);
        splits += check_shared(&p, i, "paper-pv=on");
    }
    print_message("# %zu programs, %zu times work was given away\n", 2 * number, splits);
    assert_true(splits > number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
