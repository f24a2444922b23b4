/* Random small programs: 2–4 threads of a few operations on a few objects of every kind, with
 * branches on values read and choices, shaped so that mutexes are unlocked by their owners and few
 * enough interleavings exist to enumerate. */
#include "sim.h"

#include "base/rng.h"

#include <string.h>

struct gen {
    struct sim_program *p;
    struct rng r;
    int thread, mix, budget;
};

/* Objects: mutexes 0–1, conditions 2–3, semaphores 4–5, rwlock 6, barrier 7. */
enum { MUTEX = 0, COND = 2, SEM = 4, RW = 6, BARRIER = 7 };

static int below(struct gen *g, int n)
{
    return (int)rng_below(&g->r, (uint32_t)n);
}

static int put(struct gen *g, struct sim_instr i)
{
    struct sim_program *p = g->p;
    p->code[g->thread][p->length[g->thread]] = i;
    return p->length[g->thread]++;
}

static int op(struct gen *g, int code, int a, int imm)
{
    return put(g, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = -1, .imm = imm});
}

static void memory(struct gen *g)
{
    static const int8_t sizes[] = {4, 4, 4, 4, 8, 2, 1};
    struct sim_instr i = {.a = (int8_t)below(g, 2), .index = -1, .size = 4, .imm = 1 + below(g, 2)};
    int mixed = below(g, 6) == 0, what = below(g, 9);
    i.at = 8 * below(g, 2);
    if (mixed) {
        i.size = (uint8_t)sizes[below(g, 7)];
        i.at = (i.at + below(g, 8)) / i.size * i.size;
    }
    i.op = what < 3 ? SIM_LOAD : what < 6 ? SIM_STORE : what < 7 ? SIM_ADD : SIM_CAS;
    if (i.op == SIM_CAS)
        i.imm2 = below(g, 3), i.imm = below(g, 2);
    if (i.op == SIM_STORE)
        i.a = below(g, 2) ? -1 : i.a;
    put(g, i);
}

static void statement(struct gen *g, int depth);

static void skip_if(struct gen *g, int depth)
{
    int at = put(g, (struct sim_instr){.op = (uint8_t)(below(g, 2) ? SIM_JEQ : SIM_JNE),
                                       .a = (int8_t)below(g, 2), .index = -1,
                                       .imm = below(g, 2)});
    statement(g, depth + 1);
    g->p->code[g->thread][at].imm2 = g->p->length[g->thread];
}

static void critical(struct gen *g, int depth)
{
    int m = MUTEX + below(g, 2), what = below(g, 6), skip = -1;
    if (what < 3) {
        op(g, SIM_LOCK, -1, m);
    } else {
        op(g, what == 3 ? SIM_TIMEDLOCK : SIM_TRYLOCK, 2, m);
        skip = put(g, (struct sim_instr){.op = SIM_JEQ, .a = 2, .index = -1, .imm = 0});
    }
    if (below(g, 3))
        statement(g, depth + 2);
    op(g, SIM_UNLOCK, -1, m);
    if (skip >= 0)
        g->p->code[g->thread][skip].imm2 = g->p->length[g->thread];
}

static void condition(struct gen *g)
{
    int what = below(g, 5);
    if (what >= 2) {
        op(g, what == 2 ? SIM_BROADCAST : SIM_SIGNAL, -1, COND + below(g, 2));
        return;
    }
    op(g, SIM_LOCK, -1, MUTEX);
    put(g, (struct sim_instr){.op = (uint8_t)(what ? SIM_TIMEDWAIT : SIM_WAIT), .a = 0, .index = -1,
                              .imm = COND + below(g, 2), .imm2 = MUTEX});
    op(g, SIM_UNLOCK, -1, MUTEX);
    g->budget -= 2;
}

static void semaphore(struct gen *g)
{
    static const uint8_t codes[] = {SIM_SEM_WAIT, SIM_SEM_WAIT, SIM_SEM_POST, SIM_SEM_POST,
                                    SIM_SEM_POST, SIM_SEM_TRY, SIM_SEM_TIMED, SIM_SEM_VALUE};
    op(g, codes[below(g, 8)], below(g, 2), SEM + below(g, 2));
}

static void rwlock(struct gen *g, int depth)
{
    static const uint8_t codes[] = {SIM_RDLOCK, SIM_RDLOCK, SIM_WRLOCK, SIM_TRYRD, SIM_TRYWR};
    int code = codes[below(g, 5)], skip = -1;
    op(g, code, 2, RW);
    if (code == SIM_TRYRD || code == SIM_TRYWR)
        skip = put(g, (struct sim_instr){.op = SIM_JEQ, .a = 2, .index = -1, .imm = 0});
    if (below(g, 2) && depth < 2)
        memory(g);
    op(g, SIM_RW_UNLOCK, -1, RW);
    if (skip >= 0)
        g->p->code[g->thread][skip].imm2 = g->p->length[g->thread];
}

static void statement(struct gen *g, int depth)
{
    int what = below(g, 16);
    if (depth > 2 || g->budget <= 0)
        return;
    g->budget--;
    if (what < 6 || (g->mix & 31) == 0)
        memory(g);
    else if (what < 9 && (g->mix & 1) && depth < 2)
        critical(g, depth);
    else if (what < 11 && (g->mix & 2) && depth == 0)
        condition(g);
    else if (what < 13 && (g->mix & 4))
        semaphore(g);
    else if (what < 14 && (g->mix & 8) && depth == 0)
        rwlock(g, depth);
    else if (what < 15 && (g->mix & 16))
        op(g, SIM_CHOOSE, below(g, 2), 2);
    else if (what < 15 && (g->mix & 32))
        op(g, SIM_BARRIER, -1, BARRIER);
    else if (what < 15 && (g->mix & 64))
        put(g, (struct sim_instr){.op = SIM_SPIN, .index = -1, .size = 4, .at = 8 * below(g, 2)});
    else
        skip_if(g, depth);
}

static void body(struct gen *g, int statements)
{
    for (int i = 0; i < statements; i++)
        statement(g, 0);
}

void sim_random_program(struct sim_program *p, uint64_t seed)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed);
    memset(p, 0, sizeof *p);
    g.mix = below(&g, 128);
    int workers = 2 + below(&g, 3), nested = below(&g, 8) == 0;
    p->threads = workers + 1;
    p->initial[SEM] = (int16_t)below(&g, 3);
    p->initial[SEM + 1] = (int16_t)below(&g, 2);
    p->initial[BARRIER] = (int16_t)(2 + below(&g, 2));
    for (int t = 1; t <= workers; t++) {
        g.thread = t;
        g.budget = workers == 2 ? 6 : workers == 3 ? 4 : 3;
        body(&g, 1 + below(&g, workers == 2 ? 4 : 3));
        if (nested && t == 1)
            op(&g, SIM_CREATE, -1, workers);
        op(&g, SIM_END, -1, 0);
    }
    g.thread = 0;
    g.budget = 3;
    for (int t = 1; t <= workers - nested; t++)
        op(&g, SIM_CREATE, -1, t);
    if (below(&g, 2))
        statement(&g, 1);
    if (below(&g, 2))
        for (int t = 1; t <= workers - nested; t++)
            op(&g, SIM_JOIN, -1, t);
    statement(&g, 1);
    op(&g, SIM_END, -1, 0);
}
