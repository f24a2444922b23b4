/* Random small programs with loops: threads that never end, or that try again until they have seen something.
 * What they store is bounded, so most of them have few states. Every round has a visible operation. */
#include "sim.h"

#include "base/rng.h"

#include <string.h>

struct gen {
    struct sim_program *p;
    struct rng r;
    int thread;
};

enum { MUTEX = 0, COND = 2, SEM = 4, RW = 6 };

static int below(struct gen *g, int n)
{
    return (int)rng_below(&g->r, (uint32_t)n);
}

static int put(struct gen *g, struct sim_instr i)
{
    struct sim_program *p = g->p;
    i.index = -1;
    p->code[g->thread][p->length[g->thread]] = i;
    return p->length[g->thread]++;
}

static int op(struct gen *g, int code, int a, int imm)
{
    return put(g, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .imm = imm});
}

static int here(const struct gen *g)
{
    return g->p->length[g->thread];
}

static void access(struct gen *g)
{
    struct sim_instr i = {.a = (int8_t)below(g, 2), .size = 4, .at = 8 * below(g, 2), .imm = below(g, 3)};
    int what = below(g, 8);
    i.op = what < 3 ? SIM_LOAD : what < 6 ? SIM_STORE : SIM_CAS;
    if (i.op == SIM_STORE)
        i.a = -1;
    i.imm2 = below(g, 3);
    put(g, i);
}

/* while (!trylock()) ; or a lock that is waited for, and something inside. */
static void critical(struct gen *g)
{
    int m = MUTEX + below(g, 2), what = below(g, 4), start = here(g);
    if (what == 0) {
        op(g, SIM_TRYLOCK, 2, m);
        put(g, (struct sim_instr){.op = SIM_JEQ, .a = 2, .imm2 = start});
    } else {
        op(g, SIM_LOCK, -1, m);
    }
    if (below(g, 4))
        access(g);
    if (what == 3 && m == MUTEX)
        put(g, (struct sim_instr){.op = SIM_WAIT, .a = 0, .imm = COND, .imm2 = MUTEX});
    op(g, SIM_UNLOCK, -1, m);
}

static void statement(struct gen *g)
{
    int what = below(g, 12), start = here(g);
    if (what < 5) {
        access(g);
    } else if (what < 7) {
        critical(g);
    } else if (what == 7) {
        op(g, below(g, 2) ? SIM_SEM_WAIT : SIM_SEM_POST, -1, SEM + below(g, 2));
    } else if (what == 8) {
        op(g, below(g, 2) ? SIM_SIGNAL : SIM_BROADCAST, -1, COND);
    } else if (what == 9) { /* until somebody has stored something else */
        put(g, (struct sim_instr){.op = SIM_LOAD, .a = 0, .size = 4, .at = 8 * below(g, 2)});
        put(g, (struct sim_instr){.op = SIM_JEQ, .a = 0, .imm = below(g, 2), .imm2 = start});
    } else if (what == 10) {
        op(g, SIM_CHOOSE, below(g, 2), 2);
    } else {
        int skip = put(g, (struct sim_instr){.op = SIM_JNE, .a = (int8_t)below(g, 2), .imm = below(g, 2)});
        access(g);
        g->p->code[g->thread][skip].imm2 = here(g);
    }
}

void sim_random_loops(struct sim_program *p, uint64_t seed)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed);
    memset(p, 0, sizeof *p);
    int workers = 2 + below(&g, 2);
    p->threads = workers + 1;
    p->initial[SEM] = (int16_t)below(&g, 3);
    for (g.thread = 1; g.thread <= workers; g.thread++) {
        int kind = below(&g, 4);
        access(&g);
        for (int i = 1 + below(&g, 3); i > 0; i--)
            statement(&g);
        if (kind == 0)
            op(&g, SIM_JMP, -1, 0); /* for ever */
        if (kind == 1)
            put(&g, (struct sim_instr){.op = SIM_JEQ, .a = (int8_t)below(&g, 2), .imm = below(&g, 2)});
        op(&g, SIM_END, -1, 0);
    }
    g.thread = 0;
    for (int t = 1; t <= workers; t++)
        op(&g, SIM_CREATE, -1, t);
    if (below(&g, 2))
        access(&g);
    for (int t = 1; below(&g, 2) && t <= workers; t++)
        op(&g, SIM_JOIN, -1, t);
    op(&g, SIM_END, -1, 0);
}
