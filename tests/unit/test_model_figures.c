/* Figures 2.1 and 2.6 of the dissertation, state by state: the BSRG of the example system under
 * asynchronous communication, and under causal communication, where the path g0 g2 g4 g5 is gone;
 * and with the sleep sets of section 2.6, where the edge from g2 to g3 is gone. */
#include "model/search.h"
#include "model/show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static const char *const names[] = {"q0 | q0 | q0",
                                    "q2 | q1 | q1",
                                    "q2 | q1 | q0 | M3.T3: x",
                                    "q2 | q2 | q1 | M3.T3: z",
                                    "q2 | q2 | q1 | M3.T3: x",
                                    "q2 | q2 | q2"};

static struct sys load(enum scheme scheme)
{
    struct model_source *src = mem_alloc(sizeof *src);
    struct ast ast;
    struct sys s;
    struct error e = {0};
    if (model_source_read(src, "examples/models/figure-2-1.efsm", &e) || ast_parse(src, &ast, &e) ||
        sys_load(&s, &ast, NULL, 0, &e) || sys_layout(&s, scheme, 4, &e))
        fail_msg("%s", e.what);
    return s;
}

/* Which g is it? Under causal communication the sender is shown, too: only the end counts. */
static int number(const struct sys *s, const uint8_t *state, int len)
{
    struct gstate g;
    struct sbuf b = {0};
    int found = -1;
    g.len = len;
    memcpy(g.b, state, (size_t)len);
    show_state_short(s, &g, &b);
    char *sender = strstr(b.s, "M1 → "), *other = strstr(b.s, "M2 → ");
    char *from = sender ? sender : other;
    if (from)
        memmove(from, from + strlen("M1 → "), strlen(from + strlen("M1 → ")) + 1);
    for (int i = 0; i < 6; i++)
        if (!strcmp(b.s, names[i]))
            found = i;
    sbuf_free(&b);
    assert_true(found >= 0);
    return found;
}

static void edges_of(struct model_search *se, struct expander *x, const uint8_t *p, int len,
                     const struct sleep_set *z, int edges[6][6])
{
    struct gstate g;
    g.len = len;
    memcpy(g.b, p, (size_t)len);
    bsra_expand(x, &g, z ? z->entries : NULL, z ? z->count : 0);
    for (size_t k = 0; k < x->succs.count; k++)
        edges[number(se->s, p, len)]
             [number(se->s, x->bytes.items + x->succs.items[k].off, x->succs.items[k].len)]++;
}

static void check_graph(enum scheme scheme, enum reduce reduce, const char *want)
{
    struct sys s = load(scheme);
    struct search_options o = {.reduce = reduce, .jobs = 1, .memory = 1u << 24, .quiet = 1};
    struct model_search se;
    struct expander x;
    int edges[6][6] = {{0}};
    char got[100] = "";
    search_run(&se, &s, &o);
    expand_open(&x, &s, reduce);
    for (uint64_t i = 0; i <= se.store.mask; i++)
        if (se.store.table[i]) {
            store_id id = se.store.table[i] & ((1ull << 40) - 1);
            int len;
            const uint8_t *p = store_state(&se.store, id, &len);
            edges_of(&se, &x, p, len, search_sleep_of(&se, id), edges);
        }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            if (edges[i][k])
                snprintf(got + strlen(got), sizeof got - strlen(got), "%d%d ", i, k);
    assert_string_equal(got, want);
    expand_close(&x);
    search_free(&se);
}

static void figure_2_6(void **state)
{
    check_graph(SCHEME_ASYNC, REDUCE_BSRA, "01 02 15 23 24 35 45 ");
}

static void figure_2_6_causal(void **state)
{
    check_graph(SCHEME_CAUSAL, REDUCE_BSRA, "01 02 15 23 35 ");
}

static void figure_2_6_with_sleep_sets(void **state)
{
    check_graph(SCHEME_ASYNC, REDUCE_BSRA_SLEEP, "01 02 15 24 45 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_2_6),
        cmocka_unit_test(figure_2_6_causal),
        cmocka_unit_test(figure_2_6_with_sleep_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
