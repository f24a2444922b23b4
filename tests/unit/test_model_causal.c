/* Causal communication: the happen-before graphs of figures 2.7 and 2.8, and random systems against
 * a reference that keeps the whole history of events and asks it what happens before what. */
#include "model/chan.h"
#include "model/search.h"
#include "model/show.h"
#include "model_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct sys load(const char *text, enum scheme scheme)
{
    struct model_source *src = mem_alloc(sizeof *src);
    struct ast ast;
    struct sys s;
    struct error e = {0};
    if (model_source_text(src, "test", text, &e) || ast_parse(src, &ast, &e) ||
        sys_load(&s, &ast, NULL, 0, &e) || sys_layout(&s, scheme, 8, &e))
        fail_msg("%s", e.what);
    return s;
}

/* P1 sends m11, m12 to P3, m to P2, m13, m14 to P3; P2 sends m21 … m23 to P3, then receives m. */
static const char figure[] =
    "message k(a: 0..9, b: 0..9), m;\n"
    "process P1 { state s0 { send k(1, 1) to P3.T -> s1; } state s1 { send k(1, 2) to P3.T -> s2; "
    "}\n"
    "  state s2 { send m to P2.T -> s3; } state s3 { send k(1, 3) to P3.T -> s4; }\n"
    "  state s4 { send k(1, 4) to P3.T -> s5; } state s5; }\n"
    "process P2 { port T: m; state s0 { send k(2, 1) to P3.T -> s1; }\n"
    "  state s1 { send k(2, 2) to P3.T -> s2; } state s2 { send k(2, 3) to P3.T -> s3; }\n"
    "  state s3 { recv m from T -> s4; } state s4 { send k(2, 4) to P3.T -> s5; } state s5; }\n"
    "process P3 { port T: k; state s0 { recv k(_, _) from T; } }\n";

static void take(struct sys *s, struct gstate *g, int proc, size_t which)
{
    struct run r = {.s = s};
    step_list l = {0};
    int open;
    step_enabled(&r, g, proc, &l, &open);
    assert_true(l.count > which);
    step_exec(&r, g, l.items[which]);
    vec_free(&l);
}

static void figures_2_7_and_2_8(void **state)
{
    struct sys s = load(figure, SCHEME_CAUSAL);
    struct gstate g;
    struct sbuf b = {0};
    int port = s.groups[2].port_base[0];
    g.len = sys_initial(&s, g.b);
    for (int i = 0; i < 5; i++)
        take(&s, &g, 0, 0);
    for (int i = 0; i < 3; i++)
        take(&s, &g, 1, 0);
    show_happen_before(&s, &g, port, &b);
    assert_string_equal(sbuf_str(&b), "P1.1: k(1, 1) k(1, 2) k(1, 3) k(1, 4)\n"
                                      "P2.1: k(2, 1) k(2, 2) k(2, 3)\n");
    take(&s, &g, 1, 0); /* P2 receives m */
    b.len = 0;
    show_happen_before(&s, &g, port, &b);
    assert_string_equal(sbuf_str(&b), "P1.1: k(1, 1) k(1, 2)\nP1.2: k(1, 3) k(1, 4)\n"
                                      "P2.1: k(2, 1) k(2, 2) k(2, 3)\nP2.2 after P1.1:\n");
    take(&s, &g, 1, 0); /* P2 sends after that: not before P1.1 is received */
    b.len = 0;
    show_happen_before(&s, &g, port, &b);
    assert_string_equal(sbuf_str(&b), "P1.1: k(1, 1) k(1, 2)\nP1.2: k(1, 3) k(1, 4)\n"
                                      "P2.1: k(2, 1) k(2, 2) k(2, 3)\nP2.2 after P1.1: k(2, 4)\n");
    sbuf_free(&b);
}

/* What the dissertation's rule would lose: a → P3 is known to P2 only through P4. */
static void knowledge_through_a_third_process(void **state)
{
    struct sys s = load("message a, b, x, y;\n"
                        "process P1 { state s0 { send a to P3.T -> s1; } "
                        "  state s1 { send x to P4.T -> s2; } final state s2; }\n"
                        "process P4 { port T: x; state s0 { recv x from T -> s1; } "
                        "  state s1 { send y to P2.T -> s2; } final state s2; }\n"
                        "process P2 { port T: y; state s0 { recv y from T -> s1; } "
                        "  state s1 { send b to P3.T -> s2; } final state s2; }\n"
                        "process P3 { port T: a, b; state s0 { recv a from T -> s1; "
                        "  recv b from T -> bad; } state s1 { recv b from T -> s2; } "
                        "  final state s2; final state bad; }\n",
                        SCHEME_CAUSAL);
    struct search_options o = {.jobs = 1, .memory = 1u << 26, .quiet = 1, .interpret = 1};
    struct model_search se;
    search_run(&se, &s, &o);
    assert_int_equal(se.counts[FOUND_DEADLOCK], 0);
    search_free(&se);
    sys_layout(&s, SCHEME_FIFO, 8, NULL);
    search_run(&se, &s, &o);
    assert_true(se.counts[FOUND_DEADLOCK] > 0);
    search_free(&se);
}

/* The reference: a global state under FIFO plus, per message waiting and per process, the set of
 * events (bits) in its past. A message may be received if no other message waiting in the port is
 * in its past. Depth-bounded enumeration of all runs. */
enum { EVENTS = 64 };

struct history {
    uint64_t past[EVENTS];          /* of every event */
    int last[16];                   /* event of each process, -1: none */
    int waiting[64][16], count[64]; /* send events in each queue */
    int events;
};

struct reference {
    struct run run;
    VEC(struct gstate *) reached; /* fixed parts and queues under FIFO */
    int too_many;
};

static uint64_t past_of(const struct history *h, int proc)
{
    return h->last[proc] < 0 ? 0 : h->past[h->last[proc]] | 1ull << h->last[proc];
}

static int may_receive(const struct sys *s, const struct history *h, int q)
{
    const struct port *p = &s->ports[s->queues[q].port];
    uint64_t past = h->past[h->waiting[q][0]];
    for (int k = p->queue; k < p->queue + p->nqueues; k++)
        for (int i = 0; i < h->count[k]; i++)
            if (past >> h->waiting[k][i] & 1)
                return 0;
    return 1;
}

static void record(struct history *h, const struct sys *s, const struct gstate *g, struct model_step st)
{
    const struct trans *t = &s->trans[st.trans];
    struct run r = {.s = s};
    int e = h->events++;
    h->past[e] = past_of(h, t->proc);
    if (t->action == ACT_SEND) {
        int q = s->queue_of[eval_port(&r, t, g->b) * s->nprocs + t->proc];
        h->waiting[q][h->count[q]++] = e;
    } else if (t->action == ACT_RECV) {
        int sent = h->waiting[st.queue][0];
        h->past[e] |= h->past[sent] | 1ull << sent;
        memmove(h->waiting[st.queue], h->waiting[st.queue] + 1,
                (size_t)--h->count[st.queue] * sizeof(int));
    }
    h->last[t->proc] = e;
}

static void remember(struct reference *f, const struct gstate *g)
{
    for (size_t i = 0; i < f->reached.count; i++)
        if (f->reached.items[i]->len == g->len &&
            !memcmp(f->reached.items[i]->b, g->b, (size_t)g->len))
            return;
    struct gstate *copy = mem_alloc(sizeof *copy);
    *copy = *g;
    vec_push(&f->reached, copy);
}

static int runs;

static void enumerate(struct reference *f, const struct gstate *g, const struct history *h,
                      int depth)
{
    step_list l = {0};
    remember(f, g);
    step_all(&f->run, g, &l);
    if (++runs > 20000 || (depth == 0 && l.count))
        f->too_many = 1;
    for (size_t i = 0; i < l.count && !f->too_many; i++) {
        struct model_step st = l.items[i];
        if (st.queue >= 0 && !may_receive(f->run.s, h, st.queue))
            continue;
        struct gstate *next = mem_alloc(sizeof *next);
        struct history *after = mem_alloc(sizeof *after);
        *next = *g;
        *after = *h;
        step_exec(&f->run, next, st);
        if (f->run.fault.kind) {
            f->too_many = 1;
        } else {
            record(after, f->run.s, g, st);
            enumerate(f, next, after, depth - 1);
        }
        free(next);
        free(after);
    }
    vec_free(&l);
}

/* The state of the causal system without its vectors: what the reference has. */
static void strip(const struct sys *c, const struct sys *f, const uint8_t *state,
                  struct gstate *out)
{
    int end = c->procs[c->nprocs - 1].end_off;
    memcpy(out->b, state, (size_t)end);
    memcpy(out->b + end, state + c->fixed, (size_t)c->nqueues);
    out->len = end + c->nqueues;
    const uint8_t *slot = state + c->fixed + c->nqueues;
    for (int q = 0; q < c->nqueues; q++)
        for (int i = 0; i < state[c->fixed + q]; i++) {
            const struct port *p = &c->ports[c->queues[q].port];
            memcpy(out->b + out->len, slot, (size_t)p->data);
            out->len += p->data;
            slot += p->slot;
        }
}

/* 1: compared, 0: not usable. */
static int compare(uint64_t seed)
{
    struct sbuf text = {0};
    random_model(seed, 0, &text);
    struct sys fifo = load(sbuf_str(&text), SCHEME_FIFO);
    struct sys causal = load(sbuf_str(&text), SCHEME_CAUSAL);
    struct reference f = {.run = {.s = &fifo}}, found = {0};
    struct history *h = mem_alloc(sizeof *h);
    struct gstate g;
    sbuf_free(&text);
    memset(h->last, -1, sizeof h->last);
    runs = 0;
    g.len = sys_initial(&fifo, g.b);
    if (fifo.nqueues <= 64)
        enumerate(&f, &g, h, EVENTS - 2);
    free(h);
    if (f.too_many || fifo.nqueues > 64)
        return 0;
    struct search_options o = {.jobs = 1, .memory = 1u << 26, .quiet = 1, .interpret = 1};
    struct model_search se;
    search_run(&se, &causal, &o);
    for (uint64_t i = 0; i <= se.store.mask; i++)
        if (se.store.table[i]) {
            struct gstate plain;
            const uint8_t *p = store_state(&se.store, se.store.table[i] & ((1ull << 40) - 1), NULL);
            strip(&causal, &fifo, p, &plain);
            remember(&found, &plain);
        }
    search_free(&se);
    assert_int_equal(found.reached.count, f.reached.count);
    for (size_t i = 0; i < found.reached.count; i++)
        remember(&f, found.reached.items[i]);
    assert_int_equal(found.reached.count, f.reached.count);
    return 1;
}

static void random_systems(void **state)
{
    int compared = 0;
    for (uint64_t seed = 1; compared < 1500; seed++)
        compared += compare(seed * 7919);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_2_7_and_2_8),
        cmocka_unit_test(knowledge_through_a_third_process),
        cmocka_unit_test(random_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
