/* The race check against a naive one that remembers every access and compares all pairs, on random
 * programs of accesses (all sizes, plain and atomic), releases, acquires and fresh memory. */
#include "rt/check/finding.h"
#include "rt/check/race.h"
#include "rt/core/sync.h"
#include "rt_fake.h"

#include "base/rng.h"
#define PAGES 256u
#define NODES 4096u
#define LONG_LIST 2 /* few, so that both the short and the long way are gone */
#define CROWDS 4u
#include "rt/check/race.c"

#include <stdlib.h>

#define THREADS 12
#define WINDOW 40 /* bytes of memory the programs use */
#define LOCKS 3
#define LENGTH 60

struct past {
    int thread;
    uint32_t epoch;
    uintptr_t address, pc;
    size_t size;
    int flags;
    uint64_t forgotten; /* bytes, by offset in the access */
};

static struct past history[LENGTH];
static int past_count;
static struct vclock locks[LOCKS];
static uintptr_t base = 0x7000001ffcul; /* the window lies across a page boundary */
static int reports;
static uint64_t promoted;
static bool false_alarm;
static bool reading; /* hardly anybody writes */

static bool in_conflict(int a, int b)
{
    return ((a | b) & RACE_WRITE) && !(a & b & RACE_ATOMIC);
}

static bool share_bytes(const struct past *p, uintptr_t address, size_t size)
{
    for (size_t i = 0; i < p->size; i++)
        if (p->address + i - address < size && !(p->forgotten >> i & 1))
            return true;
    return false;
}

/* Does the access race with an earlier one (of the pc `with`, if not 0)? */
static bool naive_race(uintptr_t address, size_t size, int flags, uintptr_t with)
{
    const struct vclock *c = &rt.all[rt.current].clock;
    for (int i = 0; i < past_count; i++) {
        const struct past *p = &history[i];
        uint32_t known = (uint32_t)p->thread < c->n ? c->c[p->thread] : 0;
        if (p->epoch > known && in_conflict(p->flags, flags) && share_bytes(p, address, size) &&
            (!with || p->pc == with))
            return true;
    }
    return false;
}

static int current_flags;

struct sync *sync_find(uint64_t address)
{
    return NULL;
}

void await_reads_ended(uintptr_t address, size_t size)
{
}

void await_reads_raced(uintptr_t address, size_t size)
{
    reports++;
    if (!naive_race(address, size, current_flags, 0))
        false_alarm = true;
}

void stack_used(uintptr_t address, bool write, uintptr_t pc)
{
}

void finding_race(uintptr_t address, uint32_t size, uintptr_t pc, bool write, int other_thread,
                  uintptr_t other_pc, bool other_write)
{
    reports++;
    promoted |= 1ull << (pc & 63) | 1ull << (other_pc & 63);
    if (!naive_race(address, size, current_flags, other_pc) || write != (current_flags & RACE_WRITE))
        false_alarm = true;
}

static void begin(int threads)
{
    memset(fake_threads, 0, sizeof fake_threads[0] * THREADS);
    memset(locks, 0, sizeof locks);
    for (int t = threads - 1; t >= 0; t--)
        fake_thread(t);
    past_count = 0;
    promoted = 0;
    if (++rt.generation == 0)
        rt.generation = 1;
}

static void sync_step(struct rng *r)
{
    struct vclock *c = &rt.all[rt.current].clock, *l = &locks[rng_below(r, LOCKS)];
    if (rng_below(r, 2)) {
        vclock_join(c, l);
    } else {
        vclock_join(l, c);
        c->c[rt.current]++;
    }
}

static void forget_step(struct rng *r)
{
    uintptr_t address = base + rng_below(r, WINDOW);
    size_t size = 1 + rng_below(r, 12);
    race_forget(address, size);
    for (int i = 0; i < past_count; i++)
        for (size_t k = 0; k < history[i].size; k++)
            if (history[i].address + k - address < size)
                history[i].forgotten |= 1ull << k;
}

/* One access by both; do they agree? With few pcs an access that was made before may be passed over,
 * but then its pc must be known as racy already. */
static bool access_step(struct rng *r, int pcs)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 8, 4, 16, 3, 13};
    size_t size = sizes[rng_below(r, sizeof sizes)];
    uintptr_t address = base + rng_below(r, (uint32_t)(WINDOW - size));
    if (rng_below(r, 4))
        address &= ~(uintptr_t)(size < 8 ? size - 1 : 7);
    int flags = (int)rng_below(r, 10);
    flags = flags < 8 ? flags & 1 : flags & 1 ? 3 : 2;
    if (reading && rng_below(r, 8))
        flags &= ~RACE_WRITE;
    uintptr_t pc = 1 + (pcs ? rng_below(r, (uint32_t)pcs) * 4 + (uint32_t)flags : (uint32_t)past_count);
    bool expected = naive_race(address, size, flags, 0);
    reports = 0;
    current_flags = flags;
    if (flags == RACE_WRITE && !pcs && rng_below(r, 8) == 0) { /* the same verdict, not remembered */
        race_end_of_life(address, size, pc);
        if (expected != (reports > 0))
            return false;
        reports = 0;
    }
    race_access(address, size, pc, flags);
    history[past_count++] = (struct past){.thread = rt.current,
                                          .epoch = rt.self->clock.c[rt.current],
                                          .address = address,
                                          .pc = pc,
                                          .size = size,
                                          .flags = flags};
    return pcs ? !expected || (promoted >> (pc & 63) & 1) : expected == (reports > 0);
}

/* A thread that need not be the running one waits, and leaves out a write. */
static bool left_step(struct rng *r, int threads)
{
    size_t size = 1 + rng_below(r, 12);
    uintptr_t address = base + rng_below(r, (uint32_t)(WINDOW - size));
    int running = rt.current, waiting = (int)rng_below(r, (uint32_t)threads);
    fake_thread(waiting);
    rt.self->clock.c[waiting]++; /* what has a record already is not held against others again */
    current_flags = RACE_WRITE;
    bool expected = naive_race(address, size, RACE_WRITE, 0);
    reports = 0;
    race_left(rt.self, address, size);
    history[past_count++] = (struct past){.thread = waiting,
                                          .epoch = rt.self->clock.c[waiting],
                                          .address = address,
                                          .size = size,
                                          .flags = RACE_WRITE};
    fake_thread(running);
    return expected == (reports > 0);
}

static int run_one(struct rng *r, int pcs)
{
    int threads = 2 + (int)rng_below(r, rng_below(r, 4) ? 3 : THREADS - 1);
    uint32_t syncs = rng_below(r, 3);
    reading = rng_below(r, 2);
    bool lefts = rng_below(r, 2);
    begin(threads);
    while (past_count < LENGTH) {
        if (rng_below(r, 3) == 0)
            fake_thread((int)rng_below(r, (uint32_t)threads));
        if (rng_below(r, 4) < syncs)
            sync_step(r);
        if (rng_below(r, 40) == 0)
            forget_step(r);
        if (!pcs && lefts && past_count < LENGTH - 1 && rng_below(r, 8) == 0 && !left_step(r, threads))
            return 0;
        if (!access_step(r, pcs) || false_alarm)
            return 0;
    }
    return 1;
}

static void many(uint64_t seed, int programs, int pcs)
{
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < programs; i++)
        if (!run_one(&r, pcs))
            fail_msg("program %d of seed %lu with %d pcs: %s", i, (unsigned long)seed, pcs,
                     false_alarm ? "false alarm" : "missed or wrong");
}

static void equals_the_naive_check(void **state)
{
    many(1, 60000, 0);
}

static void loses_no_pc(void **state)
{
    many(2, 30000, 5);
    many(3, 30000, 2);
}

static void survives_wrap_around(void **state)
{
    rt.generation = UINT32_MAX - 500;
    many(4, 2000, 0);
    assert_true(rt.generation < 2000);

    uintptr_t rare = 0x500000000; /* not used again until the number of this execution comes back */
    rt.generation = 4;
    begin(2);
    fake_thread(1);
    race_access(rare, 8, 1, RACE_WRITE);
    rt.generation = UINT32_MAX - 1;
    for (int i = 0; i < 6; i++) {
        begin(2);
        race_access(base, 8, 1, RACE_WRITE);
    }
    assert_int_equal(rt.generation, 5);
    reports = 0;
    race_access(rare, 8, 1, RACE_WRITE);
    assert_int_equal(reports, 0);
}

static void ranges_and_full_memory(void **state)
{
    begin(2);
    fake_thread(0);
    current_flags = RACE_WRITE;
    size_t all = (size_t)(PAGES + 1) << PAGE_SHIFT;
    race_access(0x100000000, all, 1, RACE_WRITE);
    assert_string_not_equal(fake_incomplete, "");
    begin(2);
    history[past_count++] = (struct past){1, 1, 0x200000000 + 5000, 7, 1, RACE_WRITE, 0};
    fake_thread(1);
    race_access(0x200000000 + 5000, 1, 7, RACE_WRITE);
    fake_thread(0);
    reports = 0;
    race_access(0x200000000 + 3, 9000, 8, RACE_WRITE);
    assert_int_equal(reports, 1);
    assert_false(false_alarm);
}

/* More accesses to remember than there is room for: that is said. */
static void too_many_records(void **state)
{
    fake_incomplete[0] = 0;
    begin(THREADS);
    for (unsigned i = 0; i < 2 * NODES / THREADS; i++)
        for (int t = 0; t < THREADS; t++) {
            if (i == NODES / THREADS)
                assert_string_equal(fake_incomplete, "");
            fake_thread(t);
            race_access(0x600000000 + 8 * (uintptr_t)i, 8, 1, 0);
        }
    assert_string_not_equal(fake_incomplete, "");
}

/* ---- cost ----------------------------------------------------------------------- */

static void same_again(int i)
{
    race_access(base + 4, 4, 1, RACE_WRITE);
}

static void two_variables(int i)
{
    race_access(base + 4 + (uintptr_t)(i & 1) * 8, 4, 1, i & 2 ? RACE_WRITE : 0);
}

static void new_epoch(int i)
{
    rt.all[0].clock.c[0]++;
    race_access(base + 4, 4, 1, RACE_WRITE);
}

static void new_execution(int i)
{
    if (i % 32 == 0)
        rt.generation++;
    race_access(base + 4 + (uintptr_t)(i % 32) * 8, 8, 1, RACE_WRITE);
}

static void three_readers(int i)
{
    fake_thread(i % 3);
    race_access(base + 68, 8, 1, 0);
}

static void eight_readers(int i)
{
    fake_thread(i & 7);
    race_access(base + 68, 8, 1, 0);
}

static void in_turn(int thread)
{
    fake_thread(thread);
    rt.self->clock.c[thread]++;
    race_access(base + 68, 8, 1, 0);
}

static void ten_in_turn(int i)
{
    in_turn(i % 10);
}

static void many_in_turn(int i)
{
    in_turn(i % 200);
}

static void kilobyte(int i)
{
    if (i % 128 == 0)
        race_access(0x300000000, 1024, (uintptr_t)i & 128, RACE_WRITE);
}

static double cost(const char *what, void (*run)(int))
{
    enum { N = 200000 };
    double best = 1;
    for (int round = 0; round < 10; round++) {
        begin(8);
        double start = fake_seconds();
        for (int i = 0; i < N; i++)
            run(i);
        double took = fake_seconds() - start;
        best = took < best ? took : best;
    }
    printf("# %-44s %5.1f ns\n", what, best * 1e9 / N);
    return best * 1e9 / N;
}

static void costs(void **state)
{
    cost("same access again", same_again);
    cost("read and write of two variables in turn", two_variables);
    cost("first access of an epoch", new_epoch);
    cost("first access of an execution", new_execution);
    cost("reads by three threads in turn", three_readers);
    cost("reads by eight threads in turn", eight_readers);
    cost("range of 1 KiB, for 8 bytes", kilobyte);
    double few = cost("reads by ten threads in turn, new epochs", ten_in_turn);
    assert_true(cost("reads by 200 threads in turn, new epochs", many_in_turn) < 5 * few);
}

int main(void)
{
    fake_thread(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_naive_check), cmocka_unit_test(loses_no_pc),
        cmocka_unit_test(survives_wrap_around),   cmocka_unit_test(ranges_and_full_memory),
        cmocka_unit_test(too_many_records),       cmocka_unit_test(costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
