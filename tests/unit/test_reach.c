/* The figures of "Reachability Testing of Concurrent Programs" (figures 1 to 6) and program M of the
 * earlier algorithm: timestamps, race sets, race table and variants as printed there. */
#include "explore/reach/reach_record.h"
#include "explore/reach/reach_table.h"
#include "explore/reach/reach_tails.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A sequence written down event by event. Threads are 1, 2, …; main (0) creates them. */
static struct {
    char memory[64 << 20];
    struct arena arena;
    struct reach_record r;
    struct reach_seq q;
    uint32_t event;
} w;

static void see(struct event ev)
{
    reach_record_event(&w.r, &ev, w.event++);
}

static void sequence_begin(int threads)
{
    w.arena = (struct arena){w.memory, 0, sizeof w.memory};
    memset(&w.r, 0, sizeof w.r);
    memset(w.memory, 0, sizeof w.memory);
    w.event = 0;
    assert_int_equal(reach_record_init(&w.r, &w.arena, 1000), 0);
    reach_record_begin(&w.r);
    for (int t = 1; t <= threads; t++)
        see((struct event){.kind = EV_CREATE, .object = (uint64_t)t});
}

static void op(int thread, enum event_kind k, uint64_t object, uint64_t value)
{
    see((struct event){.kind = k, .thread = (uint16_t)thread, .object = object, .value = value});
}

/* Returns what `receive` needs to name the message. */
static uint32_t send(int thread, uint64_t port, bool synchronous, enum reach_order order)
{
    see((struct event){.kind = EV_PORT_SEND,
                       .thread = (uint16_t)thread,
                       .object = port,
                       .value = synchronous,
                       .other = order});
    return w.event;
}

static void receive(int thread, uint32_t message, uint64_t port, uint64_t also_open)
{
    op(thread, EV_PORT_OPEN, port, 0);
    if (also_open)
        op(thread, EV_PORT_OPEN, also_open, 0);
    see((struct event){.kind = EV_PORT_RECEIVE,
                       .thread = (uint16_t)thread,
                       .object = port,
                       .match = message});
}

static void sequence_end(void)
{
    static const uint16_t no_class[EVENT_MAX_THREADS];
    struct reach_record *r = &w.r;
    w.q = (struct reach_seq){.ops = r->ops,
                             .count = r->count,
                             .edges = r->edges,
                             .edge_count = r->edge_count,
                             .ports = r->ports,
                             .threads = r->threads,
                             .objects = r->objects,
                             .stride = 8};
    w.q.calls = arena_alloc(&w.arena, r->count * 16);
    w.q.before = arena_alloc(&w.arena, r->count * 16);
    w.q.races = arena_alloc(&w.arena, 4096);
    vtime *clocks = arena_alloc(&w.arena, (r->threads + 2 * r->objects) * 16);
    uint32_t *last = arena_alloc(&w.arena, r->objects * 8 + 8);
    reach_timestamps(&w.q, clocks);
    struct reach_reductions none = {.class_of = no_class, .uniform = r->uniform};
    reach_race_sets(&w.q, &none, 1024, last);
}

/* Of operation k (in the order they were written down), the threads' entries from thread 1 on. */
static void check_stamp(const vtime *ts, int a, int b, int c)
{
    assert_int_equal(ts[1], a);
    assert_int_equal(ts[2], b);
    if (c >= 0)
        assert_int_equal(ts[3], c);
}

/* The timestamp of the receiving event: what its receiver knew, and its sending event's. */
static void check_received(uint32_t k, int a, int b, int c)
{
    const struct reach_op *r = &w.q.ops[k];
    vtime ts[8];
    const vtime *s = reach_call(&w.q, r->class == REACH_OBJECT ? k : r->partner);
    for (int i = 0; i < 8; i++)
        ts[i] = s[i] > reach_before(&w.q, k)[i] ? s[i] : reach_before(&w.q, k)[i];
    if (r->class == REACH_RECEIVE)
        ts[r->thread]++;
    check_stamp(ts, a, b, c);
}

static void check_races(uint32_t k, uint32_t count, uint32_t only)
{
    assert_int_equal(w.q.ops[k].race_count, count);
    if (count)
        assert_int_equal(w.q.races[w.q.ops[k].race], only);
}

static struct reach_table begin_table(void)
{
    struct reach_table t = {.heading = arena_alloc(&w.arena, w.q.count * 4),
                            .row = arena_alloc(&w.arena, w.q.count * 4),
                            .changed = arena_alloc(&w.arena, w.q.count * sizeof *t.changed),
                            .order = arena_alloc(&w.arena, w.q.count * 4),
                            .state = arena_alloc(&w.arena, w.q.count)};
    reach_table_begin(&t, &w.q);
    return t;
}

enum { P1 = 0x100, P2 = 0x200, P3 = 0x300 };

/* Q0 of figure 1: T1 sends to p2; T2 receives twice from p2 and sends to p3; T3 receives twice from p3;
 * T4 sends to p2, then to p3. Operations: s1 s2 r1 r2 s3 s4 r3 r4 = 0 … 7. */
static void write_figure_1(void)
{
    sequence_begin(4);
    uint32_t s1 = send(1, P2, false, REACH_FIFO), s2 = send(4, P2, false, REACH_FIFO);
    receive(2, s1, P2, 0);
    receive(2, s2, P2, 0);
    uint32_t s3 = send(2, P3, false, REACH_FIFO), s4 = send(4, P3, false, REACH_FIFO);
    receive(3, s3, P3, 0);
    receive(3, s4, P3, 0);
    sequence_end();
}

static void figure_1_race_table(void **state)
{
    write_figure_1();
    check_races(2, 1, 1); /* race_set(r1) = {s2} */
    check_races(6, 1, 5); /* race_set(r3) = {s4} */
    struct reach_table t = begin_table();
    static const int32_t rows[][2] = {{0, 1}, {1, 0}, {1, 1}};
    assert_int_equal(t.columns, 2);
    for (int i = 0; i < 3; i++) {
        assert_true(reach_table_next(&t, &w.q));
        assert_memory_equal(t.row, rows[i], sizeof rows[i]);
    }
    assert_false(reach_table_next(&t, &w.q));
}

static struct reach_plan derive(struct reach_table *t)
{
    struct reach_plan p = {.ops = arena_alloc(&w.arena, 64 * sizeof *p.ops),
                           .left = arena_alloc(&w.arena, 64 * sizeof *p.left)};
    reach_derive(&w.q, t, &p);
    return p;
}

static void figure_1_variants(void **state)
{
    write_figure_1();
    struct reach_table t = begin_table();
    reach_table_next(&t, &w.q);
    struct reach_plan v1 = derive(&t);
    assert_int_equal(v1.count, 7); /* only r4 is removed */
    assert_int_equal(v1.left_count, 0);
    assert_int_equal(v1.ops[6].thread, 3);
    assert_int_equal(v1.ops[6].sender, 4); /* r3 receives s4 … */
    assert_int_equal(v1.ops[6].black, 1);
    assert_int_equal(v1.ops[2].black, 0); /* … and r1 may still be changed */
    reach_table_next(&t, &w.q);
    struct reach_plan v2 = derive(&t);
    assert_int_equal(v2.count, 4); /* s1 s2 s4 and r1, which now receives s2; r3 is unmatched */
    assert_int_equal(v2.left_count, 1);
    assert_int_equal(v2.left[0].kind, REACH_LEFT_RECEIVE);
    assert_int_equal(v2.left[0].number, 3);
    reach_table_next(&t, &w.q);
    struct reach_plan v3 = derive(&t);
    assert_int_equal(v3.count, 5);
    assert_int_equal(v3.left_count, 0);
}

/* T3 sends s1 to p1 and s3 to p2, T1 sends s2 and s4 to p1; T2 receives p1, p1, p2, p1. */
static void figure_2(void **state)
{
    sequence_begin(3);
    uint32_t s1 = send(3, P1, false, REACH_FIFO), s2 = send(1, P1, false, REACH_FIFO);
    uint32_t s3 = send(3, P2, false, REACH_FIFO), s4 = send(1, P1, false, REACH_FIFO);
    receive(2, s1, P1, 0);
    receive(2, s2, P1, 0);
    receive(2, s3, P2, 0);
    receive(2, s4, P1, 0);
    sequence_end();
    check_stamp(reach_call(&w.q, 0), 0, 0, 1);
    check_stamp(reach_call(&w.q, 1), 1, 0, 0);
    check_stamp(reach_call(&w.q, 2), 0, 0, 2);
    check_stamp(reach_call(&w.q, 3), 2, 0, 0);
    check_received(4, 0, 1, 1);
    check_received(5, 1, 2, 1);
    check_received(6, 1, 3, 2);
    check_received(7, 2, 4, 2);
    check_races(4, 1, 1);
    for (uint32_t k = 5; k < 8; k++)
        check_races(k, 0, 0);
}

/* Synchronous: T3 sends to p2, T1 to p1, by turns; p2 is open only together with p1. */
static void figure_3(void **state)
{
    sequence_begin(3);
    uint32_t s1 = send(3, P2, true, REACH_FIFO), s2 = send(1, P1, true, REACH_FIFO);
    receive(2, s1, P2, P1);
    uint32_t s3 = send(3, P2, true, REACH_FIFO);
    receive(2, s2, P1, 0);
    uint32_t s4 = send(1, P1, true, REACH_FIFO);
    receive(2, s3, P2, P1);
    receive(2, s4, P1, 0);
    sequence_end();
    check_stamp(reach_call(&w.q, 0), 0, 0, 1);
    check_received(2, 0, 1, 1);
    check_stamp(reach_call(&w.q, 1), 1, 0, 0);
    check_received(4, 1, 2, 1);
    check_stamp(reach_call(&w.q, 3), 0, 1, 2);
    check_received(6, 1, 3, 2);
    check_stamp(reach_call(&w.q, 5), 2, 2, 1);
    check_received(7, 2, 4, 2);
    check_races(2, 1, 1); /* race_set(r1) = {s2} */
    check_races(4, 0, 0);
    check_races(6, 1, 5); /* race_set(r3) = {s4} */
    check_races(7, 0, 0);
}

/* A binary semaphore initialised to 1: P and V of T2, then P and V of T1. */
static void figure_4(void **state)
{
    sequence_begin(2);
    op(2, EV_SEM_WAIT, P1, 0);
    op(2, EV_BINARY_POST, P1, 1);
    op(1, EV_SEM_WAIT, P1, 0);
    op(1, EV_BINARY_POST, P1, 1);
    sequence_end();
    check_stamp(reach_call(&w.q, 0), 0, 1, -1);
    check_received(0, 0, 1, -1);
    check_stamp(reach_call(&w.q, 1), 0, 2, -1);
    check_received(1, 0, 2, -1);
    check_stamp(reach_call(&w.q, 2), 1, 0, -1);
    check_received(2, 1, 2, -1);
    check_stamp(reach_call(&w.q, 3), 2, 2, -1);
    check_received(3, 2, 2, -1);
    check_races(0, 1, 2); /* race_set(e1) = {c3} */
    for (uint32_t k = 1; k < 4; k++)
        check_races(k, 0, 0);
}

/* T1 enters and waits, T2 enters and signals, T1 enters again (signal and continue). */
static void figure_5(void **state)
{
    sequence_begin(2);
    op(1, EV_MONITOR_ENTER, P1, 0);
    op(1, EV_MONITOR_WAIT, P1, 0);
    op(2, EV_MONITOR_ENTER, P1, 0);
    op(2, EV_MONITOR_SIGNAL, P1, 2);
    op(2, EV_MONITOR_EXIT, P1, 0);
    op(1, EV_MONITOR_ENTER, P1, 0);
    op(1, EV_MONITOR_EXIT, P1, 0);
    sequence_end();
    check_stamp(reach_call(&w.q, 0), 1, 0, -1);
    check_received(0, 1, 0, -1);
    check_stamp(reach_call(&w.q, 1), 0, 1, -1);
    check_received(1, 1, 1, -1);
    check_stamp(reach_call(&w.q, 2), 2, 1, -1);
    check_received(2, 2, 1, -1);
    check_races(0, 1, 1); /* race_set(e1) = {c2} */
    check_races(1, 0, 0);
    check_races(2, 0, 0);
}

/* s1 s2 r1 r2 s3 s4 r3 r4: T1 sends s1 and s4 to T2, T4 sends s2 to T3, which then sends s3 to T2. */
static void figure_6_control_structures(void **state)
{
    sequence_begin(4);
    uint32_t s1 = send(1, P2, false, REACH_FIFO), s2 = send(4, P3, false, REACH_FIFO);
    receive(2, s1, P2, 0);
    receive(3, s2, P3, 0);
    uint32_t s3 = send(3, P2, false, REACH_FIFO), s4 = send(1, P2, false, REACH_FIFO);
    receive(2, s3, P2, 0);
    receive(2, s4, P2, 0);
    sequence_end();
    const struct reach_op *r1 = &w.q.ops[2], *r2 = &w.q.ops[3], *r3 = &w.q.ops[6];
    assert_true(reach_controls_call(&w.q, r2, 4));  /* r2 in c-struct(s3) */
    assert_true(reach_controls(&w.q, r1, 6));       /* r1 in c-struct(r3) */
    assert_false(reach_controls(&w.q, r2, 6));      /* r2 is not */
    assert_false(reach_controls_call(&w.q, r1, 5)); /* nothing received in c-struct(s4) */
    assert_true(reach_controls(&w.q, r3, 7));
    assert_int_equal(w.q.ops[6].race_count, 1);
    check_races(6, 1, 5); /* r3 could have received s4 */
}

static void count_variant(void *context, const struct reach_seq *q, const uint8_t *alive,
                          const uint32_t *partner)
{
    ++*(int *)context;
}

/* Without FIFO and within one thread: M2 receives from M1 and M3, M5 from M4 and M6. */
static void program_m(void **state)
{
    sequence_begin(6);
    uint32_t s1 = send(1, P1, false, REACH_ANY), s2 = send(3, P1, false, REACH_ANY);
    uint32_t s3 = send(4, P2, false, REACH_ANY), s4 = send(6, P2, false, REACH_ANY);
    receive(2, s1, P1, 0);
    receive(2, s2, P1, 0);
    receive(5, s3, P2, 0);
    receive(5, s4, P2, 0);
    sequence_end();
    struct reach_table t = begin_table();
    int rows = 0;
    while (reach_table_next(&t, &w.q))
        rows++;
    assert_int_equal(rows, 3); /* and the sequence itself: four */
    static char scratch[65536];
    int variants = 0;
    bool cut;
    assert_int_equal(reach_tails(&w.q, 1000, scratch, sizeof scratch, count_variant, &variants, &cut), 7);
    assert_false(cut);
    assert_true(reach_tails(&w.q, 1000, scratch, 5 * (w.q.count + 1), count_variant, &(int){0}, &cut) < 7);
    assert_true(cut);
    assert_int_equal(variants, 7); /* V1 … V7 of section 3.4.2 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1_race_table),
        cmocka_unit_test(figure_1_variants),
        cmocka_unit_test(figure_2),
        cmocka_unit_test(figure_3),
        cmocka_unit_test(figure_4),
        cmocka_unit_test(figure_5),
        cmocka_unit_test(figure_6_control_structures),
        cmocka_unit_test(program_m),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
