/* The canonical order of trace/canonical.c against the naive partial order of the simulator: over
 * random programs and schedules, two executions have the same canonical sequence exactly if the
 * naive form says they are the same trace. */
#include "sim.h"

#include "trace/canonical.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MANY = 4096 };

static struct sim_trace_id sequence_hash(const struct trace *t)
{
    static struct act acts[MANY];
    static uint32_t order[MANY];
    struct sim_trace_id h = {1, 2};
    assert_true(t->event_count <= MANY);
    canonical_order(t->events, t->event_count, acts, order);
    for (uint32_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[order[i]];
        if (event_class(e->kind) == CLASS_LOCAL && e->kind != EV_CHOOSE)
            continue;
        bool sem = e->kind >= EV_SEM_WAIT && e->kind <= EV_SEM_GETVALUE;
        uint64_t words[] = {e->thread, e->kind, e->object, e->size, sem ? e->other : e->value};
        for (int k = 0; k < 5; k++) {
            h.a = (h.a ^ words[k]) * 0x9e3779b97f4a7c15ull;
            h.a ^= h.a >> 29;
            h.b = (h.b + words[k]) * 0xc2b2ae3d27d4eb4full;
            h.b ^= h.b >> 31;
        }
    }
    return h;
}

static void agrees_with_the_naive_form(void **state)
{
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct sim_program p;
        struct sim_worker w;
        struct sim_set sequences = {0}, pairs = {0};
        sim_random_program(&p, seed);
        sim_worker_open(&w, &p, "random", 1);
        for (int i = 0; i < 100; i++) {
            sim_worker_once(&w);
            struct sim_trace_id s = sequence_hash(&w.trace),
                                n = sim_canonical(w.trace.events, (int)w.trace.event_count);
            sim_set_add(&sequences, s);
            sim_set_add(&pairs, (struct sim_trace_id){s.a ^ n.a, s.b ^ n.b});
        }
        /* One to one: as many pairs as there are values on either side. */
        assert_int_equal(sequences.used, pairs.used);
        assert_int_equal(w.seen.used, pairs.used);
        sim_set_free(&sequences);
        sim_set_free(&pairs);
        sim_worker_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_naive_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
