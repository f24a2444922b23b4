/* One graph, many ways to build it: compiled or interpreted, breadth-first or depth-first, one
 * thread or several, with hash compaction; and the state store on its own. */
#include "model/gen.h"
#include "model/search.h"
#include "model_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct sys load_seed(uint64_t seed, enum scheme scheme, int properties)
{
    struct model_source *src = mem_alloc(sizeof *src);
    struct ast ast;
    struct sys s;
    struct error e = {0};
    struct sbuf text = {0};
    random_model(seed, properties, &text);
    if (model_source_text(src, "test", sbuf_str(&text), &e) || ast_parse(src, &ast, &e) ||
        sys_load(&s, &ast, NULL, 0, &e) || sys_layout(&s, scheme, 4, &e))
        fail_msg("%s", e.what);
    sbuf_free(&text);
    return s;
}

static const struct search_options plain = {
    .jobs = 1, .memory = 1u << 26, .quiet = 1, .interpret = 1};

static void compare(const struct sys *s, const struct search_options *o, uint64_t seed)
{
    struct model_search a, b;
    search_run(&a, s, &plain);
    search_run(&b, s, o);
    if (a.states != b.states || a.edges != b.edges || memcmp(a.counts, b.counts, sizeof a.counts) ||
        memcmp(a.executed, b.executed, (size_t)s->ntrans))
        fail_msg("seed %llu, %s: %llu/%llu and %llu/%llu", (unsigned long long)seed,
                 sys_scheme_name(s->scheme), (unsigned long long)a.states,
                 (unsigned long long)a.edges, (unsigned long long)b.states,
                 (unsigned long long)b.edges);
    search_free(&a);
    search_free(&b);
}

static void other_orders(void **state)
{
    struct search_options dfs = plain, jobs = plain, compact = plain, compact_dfs = plain;
    dfs.depth_first = 1;
    jobs.jobs = 4;
    compact.compact = 1;
    compact_dfs.compact = compact_dfs.depth_first = 1;
    const struct search_options *all[] = {&dfs, &jobs, &compact, &compact_dfs};
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (int scheme = SCHEME_ASYNC; scheme <= SCHEME_INSTANT; scheme++) {
            struct sys s = load_seed(seed, (enum scheme)scheme, seed % 2);
            for (int k = 0; k < 4; k++)
                compare(&s, all[k], seed);
        }
}

static void compiled_models(void **state)
{
    struct search_options o = plain;
    o.interpret = 0;
    o.compile = 1;
    static const enum scheme schemes[] = {SCHEME_ASYNC, SCHEME_FIFO, SCHEME_MAILBOX};
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (int k = 0; k < 3; k++) {
            struct sys s = load_seed(seed * 31, schemes[k], seed % 2);
            compare(&s, &o, seed * 31);
        }
}

static void compilation_says_what_it_cannot(void **state)
{
    struct sys s = load_seed(1, SCHEME_CAUSAL, 0);
    struct error e = {0};
    assert_null(gen_load(&s, &e));
    assert_non_null(strstr(e.what, "causal"));
}

static void store_finds_what_it_holds(void **state)
{
    struct store st;
    struct store_writer w;
    uint8_t key[300 + STORE_SLACK] = {0};
    store_open(&st, 1u << 30, 0, 1);
    store_writer_open(&w, &st);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 100000; i++) {
            int len = 4 + (int)(i % 290), fresh;
            memcpy(key, &i, 4);
            store_id id = store_put(&w, key, len, store_hash(key, len), 7, &fresh);
            assert_true(id != 0);
            assert_int_equal(fresh, round == 0);
            assert_int_equal(store_parent(&st, id), 7);
            if (store_crowded(&st))
                store_grow(&st);
        }
    store_writer_flush(&w);
    assert_int_equal(st.count, 100000);
    store_close(&st);
}

static void store_keeps_its_budget(void **state)
{
    struct store st;
    struct store_writer w;
    uint8_t key[64 + STORE_SLACK] = {0};
    int fresh, refused = 0;
    store_open(&st, 4u << 20, 0, 1);
    store_writer_open(&w, &st);
    for (uint32_t i = 0; i < 200000 && !refused; i++) {
        memcpy(key, &i, 4);
        refused = !store_put(&w, key, 64, store_hash(key, 64), 1, &fresh);
        if (store_crowded(&st))
            store_grow(&st);
        refused |= st.full;
    }
    assert_true(refused);
    assert_true(store_bytes(&st) <= 4u << 20);
    store_close(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_orders),
        cmocka_unit_test(compiled_models),
        cmocka_unit_test(compilation_says_what_it_cannot),
        cmocka_unit_test(store_finds_what_it_holds),
        cmocka_unit_test(store_keeps_its_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
