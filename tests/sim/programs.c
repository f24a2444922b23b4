/* Programs whose numbers of Mazurkiewicz traces were counted by other tools and by brute force. */
#include "sim.h"

#include <string.h>

static int put(struct sim_program *p, int t, struct sim_instr i)
{
    p->code[t][p->length[t]] = i;
    return p->length[t]++;
}

static int op(struct sim_program *p, int t, int code, int a, int imm)
{
    return put(p, t, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = -1,
                                        .imm = imm});
}

/* Memory: 4 bytes at 4 * slot (+ register index), value imm + register a. */
static int mem(struct sim_program *p, int t, int code, int a, int slot, int index, int imm)
{
    return put(p, t, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = (int8_t)index,
                                        .size = 4, .at = 4 * slot, .imm = imm});
}

static int on(struct sim_program *p, int t, int code, int object, int index)
{
    return put(p, t, (struct sim_instr){.op = (uint8_t)code, .a = -1, .index = (int8_t)index,
                                        .imm = object});
}

static int jump(struct sim_program *p, int t, int code, int a, int imm, int to)
{
    return put(p, t, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = -1,
                                        .imm = imm, .imm2 = to});
}

static void set(struct sim_program *p, int t, int code, int a, int index, int imm)
{
    put(p, t, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = (int8_t)index,
                                 .imm = imm});
}

static void create_all(struct sim_program *p)
{
    for (int t = 1; t < p->threads; t++)
        op(p, 0, SIM_CREATE, -1, t);
}

static void join_all(struct sim_program *p)
{
    for (int t = 1; t < p->threads; t++)
        op(p, 0, SIM_JOIN, -1, t);
}

static void end_all(struct sim_program *p)
{
    for (int t = 0; t < p->threads; t++)
        op(p, t, SIM_END, -1, 0);
}

static void finish(struct sim_program *p)
{
    create_all(p);
    join_all(p);
    end_all(p);
}

static void readers(struct sim_program *p, int n)
{
    p->threads = n + 2;
    mem(p, 1, SIM_STORE, -1, 0, -1, 1);
    for (int t = 2; t < p->threads; t++)
        mem(p, t, SIM_LOAD, 0, 0, -1, 0);
    finish(p);
}

static void lastzero(struct sim_program *p, int n)
{
    p->threads = n + 2;
    set(p, 1, SIM_SET, 0, -1, n);
    int loop = mem(p, 1, SIM_LOAD, 1, 0, 0, 0);
    int out = jump(p, 1, SIM_JEQ, 1, 0, 0);
    set(p, 1, SIM_SET, 0, 0, -1);
    jump(p, 1, SIM_JMP, 0, 0, loop);
    p->code[1][out].imm2 = p->length[1];
    for (int j = 1; j <= n; j++) {
        mem(p, j + 1, SIM_LOAD, 0, j - 1, -1, 0);
        mem(p, j + 1, SIM_STORE, 0, j, -1, 1);
    }
    finish(p);
}

static void fib(struct sim_program *p, int n)
{
    p->threads = 3;
    p->memory[0] = p->memory[4] = 1;
    for (int k = 0; k < n; k++)
        for (int t = 1; t <= 2; t++) {
            mem(p, t, SIM_LOAD, 0, t - 1, -1, 0);
            mem(p, t, SIM_LOAD, 1, 2 - t, -1, 0);
            set(p, t, SIM_SUM, 2, 0, 1);
            mem(p, t, SIM_STORE, 2, t - 1, -1, 0);
        }
    create_all(p);
    mem(p, 0, SIM_LOAD, 0, 0, -1, 0);
    mem(p, 0, SIM_LOAD, 1, 1, -1, 0);
    end_all(p);
}

static void sigma(struct sim_program *p, int n)
{
    p->threads = n + 1;
    memset(p->memory, 0xff, 4);
    for (int t = 1; t <= n; t++) {
        mem(p, 0, SIM_LOAD, 0, 0, -1, 0);
        mem(p, 0, SIM_STORE, 0, 0, -1, 1);
        op(p, 0, SIM_CREATE, -1, t);
        mem(p, t, SIM_LOAD, 0, 0, -1, 0);
        mem(p, t, SIM_STORE, -1, 1, 0, 1);
    }
    join_all(p);
    end_all(p);
}

static void lastwrite(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++)
        mem(p, t, SIM_STORE, -1, 0, -1, t);
    create_all(p);
    join_all(p);
    mem(p, 0, SIM_LOAD, 0, 0, -1, 0);
    end_all(p);
}

static void floating_read(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++)
        mem(p, t, SIM_STORE, -1, 0, -1, t);
    create_all(p);
    mem(p, 0, SIM_LOAD, 0, 0, -1, 0);
    join_all(p);
    end_all(p);
}

static void casrot(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++) {
        int at = mem(p, t, SIM_CAS, 0, 0, -1, t - 1);
        p->code[t][at].imm2 = t;
    }
    finish(p);
}

static void ainc(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++)
        mem(p, t, SIM_ADD, -1, 0, -1, 1);
    finish(p);
}

static void lockinc(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++) {
        on(p, t, SIM_LOCK, 0, -1);
        mem(p, t, SIM_PEEK, 0, 0, -1, 0);
        mem(p, t, SIM_POKE, 0, 0, -1, 1);
        on(p, t, SIM_UNLOCK, 0, -1);
    }
    finish(p);
}

static void dining(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++) {
        int i = t - 1, j = t % n, low = i < j ? i : j, high = i < j ? j : i;
        on(p, t, SIM_LOCK, low, -1);
        on(p, t, SIM_LOCK, high, -1);
        on(p, t, SIM_UNLOCK, high, -1);
        on(p, t, SIM_UNLOCK, low, -1);
    }
    finish(p);
}

static void dining_deadlock(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++)
        for (int meal = 0; meal < 2; meal++) {
            int i = t - 1, j = (t + n - 2) % n;
            on(p, t, SIM_LOCK, i, -1);
            on(p, t, SIM_LOCK, j, -1);
            on(p, t, SIM_UNLOCK, j, -1);
            on(p, t, SIM_UNLOCK, i, -1);
        }
    finish(p);
}

enum { INODES = 32, BLOCKS = 26 }; /* mutexes and words: inodes first, then blocks */

static void filesystem(struct sim_program *p, int n)
{
    p->threads = n + 1;
    for (int t = 1; t <= n; t++) {
        int i = (t - 1) % INODES;
        on(p, t, SIM_LOCK, i, -1);
        mem(p, t, SIM_PEEK, 1, i, -1, 0);
        int taken = jump(p, t, SIM_JNE, 1, 0, 0);
        set(p, t, SIM_SET, 0, -1, 2 * i % BLOCKS);
        int loop = on(p, t, SIM_LOCK, INODES, 0);
        mem(p, t, SIM_PEEK, 1, INODES, 0, 0);
        int busy = jump(p, t, SIM_JNE, 1, 0, 0);
        mem(p, t, SIM_POKE, -1, INODES, 0, 1);
        mem(p, t, SIM_POKE, 0, i, -1, 1);
        on(p, t, SIM_UNLOCK, INODES, 0);
        int done = jump(p, t, SIM_JMP, 0, 0, 0);
        p->code[t][busy].imm2 = p->length[t];
        on(p, t, SIM_UNLOCK, INODES, 0);
        set(p, t, SIM_SET, 0, 0, 1);
        set(p, t, SIM_MOD, 0, 0, BLOCKS);
        jump(p, t, SIM_JMP, 0, 0, loop);
        p->code[t][done].imm2 = p->code[t][taken].imm2 = p->length[t];
        on(p, t, SIM_UNLOCK, i, -1);
    }
    finish(p);
}

static void indexer(struct sim_program *p, int n)
{
    enum { SIZE = 128 };
    p->threads = n + 1;
    for (int t = 1; t <= n; t++) {
        set(p, t, SIM_SET, 2, -1, 11 + t - 1); /* w */
        int next = p->length[t];
        set(p, t, SIM_MUL, 0, 2, 7);
        set(p, t, SIM_MOD, 0, 0, SIZE);
        int loop = on(p, t, SIM_LOCK, 0, 0);
        mem(p, t, SIM_PEEK, 1, 0, 0, 0);
        int taken = jump(p, t, SIM_JNE, 1, 0, 0);
        mem(p, t, SIM_POKE, 2, 0, 0, 0);
        on(p, t, SIM_UNLOCK, 0, 0);
        set(p, t, SIM_SET, 2, 2, 11);
        jump(p, t, SIM_JLT, 2, 11 * 5, next);
        int done = jump(p, t, SIM_JMP, 0, 0, 0);
        p->code[t][taken].imm2 = p->length[t];
        on(p, t, SIM_UNLOCK, 0, 0);
        set(p, t, SIM_SET, 0, 0, 1);
        set(p, t, SIM_MOD, 0, 0, SIZE);
        jump(p, t, SIM_JMP, 0, 0, loop);
        p->code[t][done].imm2 = p->length[t];
    }
    finish(p);
}

static void single_lock(struct sim_program *p, int extra)
{
    p->threads = 5 + extra;
    for (int t = 1; t < p->threads; t++)
        for (int k = 0; k < (t <= 4 ? 2 : 1); k++) {
            on(p, t, SIM_LOCK, 0, -1);
            mem(p, t, SIM_POKE, -1, 0, -1, t);
            on(p, t, SIM_UNLOCK, 0, -1);
        }
    finish(p);
}

const struct sim_known sim_known[] = {
    {"readers8", 8, 256, 0, readers},
    {"readers13", 13, 8192, 0, readers},
    {"lastzero5", 5, 64, 0, lastzero},
    {"lastzero10", 10, 3328, 0, lastzero},
    {"lastzero15", 15, 147456, 0, lastzero},
    {"fib3", 3, 1698, 0, fib},
    {"fib4", 4, 19605, 0, fib},
    {"fib5", 5, 218243, 0, fib},
    {"sigma5", 5, 945, 0, sigma},
    {"sigma6", 6, 10395, 0, sigma},
    {"sigma7", 7, 135135, 0, sigma},
    {"sigma8", 8, 2027025, 0, sigma},
    {"lastwrite6", 6, 720, 0, lastwrite},
    {"lastwrite7", 7, 5040, 0, lastwrite},
    {"floating_read6", 6, 5040, 0, floating_read},
    {"casrot6", 6, 144, 0, casrot},
    {"casrot8", 8, 2048, 0, casrot},
    {"ainc6", 6, 720, 0, ainc},
    {"lockinc6", 6, 720, 0, lockinc},
    {"lockinc7", 7, 5040, 0, lockinc},
    {"dining4", 4, 14, 0, dining},
    {"dining5", 5, 30, 0, dining},
    {"dining7", 7, 126, 0, dining},
    {"dining10", 10, 1022, 0, dining},
    {"dining-deadlock4", 4, 831, 45, dining_deadlock},
    {"dining-deadlock5", 5, 5851, 121, dining_deadlock},
    {"filesystem14", 14, 2, 0, filesystem},
    {"filesystem16", 16, 8, 0, filesystem},
    {"filesystem18", 18, 32, 0, filesystem},
    {"filesystem22", 22, 512, 0, filesystem},
    {"filesystem26", 26, 8192, 0, filesystem},
    {"indexer12", 12, 8, 0, indexer},
    {"indexer13", 13, 64, 0, indexer},
    {"indexer14", 14, 512, 0, indexer},
    {"indexer15", 15, 4096, 0, indexer},
    {"indexer16", 16, 32768, 0, indexer},
    {"single-lock", 0, 2520, 0, single_lock},
    {"single-lock+1", 1, 22680, 0, single_lock},
};
const int sim_known_count = sizeof sim_known / sizeof sim_known[0];

const struct sim_known *sim_known_find(const char *name)
{
    for (int i = 0; i < sim_known_count; i++)
        if (!strcmp(sim_known[i].name, name))
            return &sim_known[i];
    return NULL;
}
