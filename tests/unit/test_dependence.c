/* Every rule of the dependence relation with two small programs: in one the order of the two
 * operations matters, in the other it does not. The numbers of traces are exact, and the same as
 * those of plain enumeration. */
#include "sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define AT(code, reg, where, bytes, value)                                                         \
    {.op = code, .a = reg, .index = -1, .size = bytes, .at = where, .imm = value}
#define LOAD(where, bytes) AT(SIM_LOAD, 0, where, bytes, 0)
#define STORE(where, bytes) AT(SIM_STORE, -1, where, bytes, 1)
#define CAS(from, to)                                                                              \
    {.op = SIM_CAS, .a = 0, .index = -1, .size = 4, .at = 0, .imm = from, .imm2 = to}
#define ON(code, object) {.op = code, .a = 0, .index = -1, .imm = object}
#define WAIT(code) {.op = code, .a = 0, .index = -1, .imm = 1, .imm2 = 0}
#define CHOOSE(n) {.op = SIM_CHOOSE, .a = 0, .index = -1, .imm = n}

enum { MUTEX = 0, COND = 1, SEM = 2, RW = 3, BARRIER = 4 };

static const struct {
    const char *what;
    long traces;
    int semaphore, barrier;
    struct sim_instr code[4][6]; /* threads; an instruction with index 0 ends them */
} rows[] = {
    {"write and read of the same bytes", 2, 0, 0, {{STORE(0, 4)}, {LOAD(0, 4)}}},
    {"two reads", 1, 0, 0, {{LOAD(0, 4)}, {LOAD(0, 4)}}},
    {"overlapping accesses of different sizes", 2, 0, 0, {{STORE(0, 8)}, {LOAD(4, 2)}}},
    {"different fields of a struct", 1, 0, 0, {{STORE(0, 4)}, {STORE(4, 4)}}},
    {"an access across two words", 2, 0, 0, {{STORE(4, 8)}, {LOAD(8, 1)}}},
    {"bytes next to it", 1, 0, 0, {{STORE(4, 8)}, {LOAD(12, 4)}}},
    {"compare-exchanges of which one succeeds first", 2, 0, 0, {{CAS(0, 1)}, {CAS(0, 2)}}},
    {"compare-exchanges that fail", 1, 0, 0, {{CAS(5, 1)}, {CAS(6, 2)}}},
    {"free and an access in the block", 2, 0, 0, {{AT(SIM_FREE, 0, 0, 64, 0)}, {LOAD(32, 4)}}},
    {"free and an access beside it", 1, 0, 0, {{AT(SIM_FREE, 0, 0, 64, 0)}, {LOAD(64, 4)}}},
    {"two locks of a mutex", 2, 0, 0,
     {{ON(SIM_LOCK, MUTEX), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_LOCK, MUTEX), ON(SIM_UNLOCK, MUTEX)}}},
    {"locks of two mutexes", 1, 0, 0,
     {{ON(SIM_LOCK, 5), ON(SIM_UNLOCK, 5)}, {ON(SIM_LOCK, 6), ON(SIM_UNLOCK, 6)}}},
    {"trylock and lock", 3, 0, 0,
     {{ON(SIM_LOCK, MUTEX), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_TRYLOCK, MUTEX)}}},
    {"trylocks of a mutex that stays locked (each waits for the flag in two ways)", 4, 0, 0,
     {{ON(SIM_LOCK, MUTEX), STORE(0, 4)},
      {AT(SIM_SPIN, 0, 0, 4, 0), ON(SIM_TRYLOCK, MUTEX)},
      {AT(SIM_SPIN, 0, 0, 4, 0), ON(SIM_TRYLOCK, MUTEX)}}},
    {"post and trywait at zero", 2, 0, 0, {{ON(SIM_SEM_POST, SEM)}, {ON(SIM_SEM_TRY, SEM)}}},
    {"two posts", 1, 0, 0, {{ON(SIM_SEM_POST, SEM)}, {ON(SIM_SEM_POST, SEM)}}},
    {"two waits for one token", 2, 1, 0, {{ON(SIM_SEM_WAIT, SEM)}, {ON(SIM_SEM_WAIT, SEM)}}},
    {"post and wait while there is a token", 1, 1, 0,
     {{ON(SIM_SEM_POST, SEM)}, {ON(SIM_SEM_WAIT, SEM)}}},
    {"post and the wait that needs it", 1, 0, 0,
     {{ON(SIM_SEM_POST, SEM)}, {ON(SIM_SEM_WAIT, SEM)}}},
    {"two failed trywaits", 1, 0, 0, {{ON(SIM_SEM_TRY, SEM)}, {ON(SIM_SEM_TRY, SEM)}}},
    {"reader and writer", 2, 0, 0,
     {{ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"two readers", 1, 0, 0,
     {{ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"signal and wait", 2, 0, 0,
     {{ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_SIGNAL, COND)}}},
    {"two signals nobody hears", 1, 0, 0, {{ON(SIM_SIGNAL, COND)}, {ON(SIM_SIGNAL, COND)}}},
    {"signal and timeout", 3, 0, 0,
     {{ON(SIM_LOCK, MUTEX), WAIT(SIM_TIMEDWAIT), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_SIGNAL, COND)}}},
    {"who opens the barrier", 3, 0, 3,
     {{ON(SIM_BARRIER, BARRIER)}, {ON(SIM_BARRIER, BARRIER)}, {ON(SIM_BARRIER, BARRIER)}}},
    {"arrivals at a barrier that stays closed", 1, 0, 4,
     {{ON(SIM_BARRIER, BARRIER)}, {ON(SIM_BARRIER, BARRIER)}, {ON(SIM_BARRIER, BARRIER)}}},
    {"two readers and a writer", 4, 0, 0,
     {{ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)},
      {ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"a reader who comes twice, one who comes once, and a writer", 6, 0, 0,
     {{ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW), ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)},
      {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"two writers and a reader who tries", 9, 0, 0,
     {{ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)},
      {ON(SIM_TRYRD, RW)}}},
    {"readers and a writer who tries, and one who waits", 9, 0, 0,
     {{ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_TRYWR, RW)},
      {ON(SIM_WRLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"a reader who stays, one who leaves, a writer who waits and one who tries", 9, 0, 0,
     {{ON(SIM_RDLOCK, RW)}, {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}, {ON(SIM_WRLOCK, RW)},
      {ON(SIM_TRYWR, RW)}}},
    {"a writer between a reader and one who had tried to write", 6, 0, 0,
     {{ON(SIM_WRLOCK, RW)}, {ON(SIM_TRYWR, RW), ON(SIM_RDLOCK, RW)},
      {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW)}}},
    {"readers who stay and one who becomes a writer", 2, 0, 0,
     {{ON(SIM_RDLOCK, RW)}, {ON(SIM_RDLOCK, RW)},
      {ON(SIM_RDLOCK, RW), ON(SIM_RW_UNLOCK, RW), ON(SIM_WRLOCK, RW)}}},
    {"two waiters and two signals", 54, 0, 0,
     {{ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)},
      {ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)},
      {ON(SIM_SIGNAL, COND)}, {ON(SIM_SIGNAL, COND)}}},
    {"a waiter, a timed one and a signal", 21, 0, 0,
     {{ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)},
      {ON(SIM_LOCK, MUTEX), WAIT(SIM_TIMEDWAIT), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_SIGNAL, COND)}}},
    {"two waiters and a broadcast", 10, 0, 0,
     {{ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)},
      {ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT), ON(SIM_UNLOCK, MUTEX)}, {ON(SIM_BROADCAST, COND)}}},
    {"choices", 6, 0, 0, {{CHOOSE(2)}, {CHOOSE(3)}}},
    {"choice before a race", 4, 0, 0, {{CHOOSE(2), STORE(0, 4)}, {LOAD(0, 4)}}},
};

static void build(struct sim_program *p, int row)
{
    memset(p, 0, sizeof *p);
    p->initial[SEM] = (int16_t)rows[row].semaphore;
    p->initial[BARRIER] = (int16_t)rows[row].barrier;
    struct sim_instr end = {.op = SIM_END, .index = -1};
    for (int t = 0; t < 4 && rows[row].code[t][0].index; t++) {
        p->threads = t + 2;
        for (int i = 0; i < 6 && rows[row].code[t][i].index; i++)
            p->code[t + 1][p->length[t + 1]++] = rows[row].code[t][i];
        p->code[t + 1][p->length[t + 1]++] = end;
        p->code[0][p->length[0]++] =
            (struct sim_instr){.op = SIM_CREATE, .a = -1, .index = -1, .imm = t + 1};
    }
    p->code[0][p->length[0]++] = end;
}

static void each_rule(void **state)
{
    for (int row = 0; row < (int)(sizeof rows / sizeof rows[0]); row++) {
        struct sim_program p;
        struct sim_set all = {0};
        struct sim_worker w;
        build(&p, row);
        sim_brute(&p, 100000, &all);
        sim_worker_open(&w, &p, "optimal", 1);
        sim_worker_run(&w, 1000);
        if ((long)all.used != rows[row].traces || w.complete != rows[row].traces || w.blocked ||
            !sim_set_equal(&all, &w.seen))
            fail_msg("%s: %zu traces, optimal %ld (%ld blocked), wanted %ld", rows[row].what,
                     all.used, w.complete, w.blocked, rows[row].traces);
        sim_worker_close(&w);
        sim_set_free(&all);
    }
}

/* Which of two waiters a signal wakes; what is ordered by creation and joining. */
static void wake_up_choice(void **state)
{
    struct sim_program p = {.threads = 4};
    static const struct sim_instr waiter[] = {ON(SIM_LOCK, MUTEX), WAIT(SIM_WAIT),
                                              ON(SIM_UNLOCK, MUTEX), {.op = SIM_END, .index = -1}};
    static const struct sim_instr signaller[] = {ON(SIM_SIGNAL, COND), {.op = SIM_END, .index = -1}};
    memcpy(p.code[1], waiter, sizeof waiter);
    memcpy(p.code[2], waiter, sizeof waiter);
    memcpy(p.code[3], signaller, sizeof signaller);
    p.length[1] = p.length[2] = 4;
    p.length[3] = 2;
    for (int t = 1; t <= 3; t++)
        p.code[0][p.length[0]++] =
            (struct sim_instr){.op = SIM_CREATE, .a = -1, .index = -1, .imm = t};
    p.code[0][p.length[0]++] = (struct sim_instr){.op = SIM_END, .index = -1};
    struct sim_set all = {0};
    struct sim_worker w;
    sim_brute(&p, 1000000, &all);
    sim_worker_open(&w, &p, "optimal", 1);
    sim_worker_run(&w, 1000000);
    assert_true(sim_set_equal(&all, &w.seen));
    assert_int_equal(w.complete, all.used);
    assert_int_equal(w.blocked, 0);
    sim_worker_close(&w);
    sim_set_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_rule),
                                       cmocka_unit_test(wake_up_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
