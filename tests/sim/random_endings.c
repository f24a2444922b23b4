/* Random small programs whose threads wait on a condition, a semaphore or for each other and are asked to end
 * meanwhile. What each operation tells its thread is kept: r[0] has one digit for each. */
#include "sim.h"

#include "base/rng.h"

#include <string.h>

enum { MUTEX = 0, COND = 1, SEM = 2 };

struct gen {
    struct sim_program *p;
    struct rng r;
    int thread, workers;
};

static int below(struct gen *g, int n)
{
    return (int)rng_below(&g->r, (uint32_t)n);
}

static int put(struct gen *g, struct sim_instr i)
{
    struct sim_program *p = g->p;
    i.index = i.index ? i.index : -1;
    p->code[g->thread][p->length[g->thread]] = i;
    return p->length[g->thread]++;
}

static void op(struct gen *g, int code, int imm)
{
    put(g, (struct sim_instr){.op = (uint8_t)code, .a = -1, .imm = imm});
}

/* r[0] = 10 r[0] + 1 + r[1] */
static void tell(struct gen *g)
{
    struct sim_program *p = g->p;
    struct sim_instr *code = p->code[g->thread];
    code[p->length[g->thread]++] = (struct sim_instr){.op = SIM_MUL, .a = 0, .index = 0, .imm = 10};
    code[p->length[g->thread]++] = (struct sim_instr){.op = SIM_SUM, .a = 0, .index = 0, .imm = 1};
    code[p->length[g->thread]++] = (struct sim_instr){.op = SIM_SET, .a = 0, .index = 0, .imm = 1};
}

static void told(struct gen *g, int code, int imm)
{
    put(g, (struct sim_instr){.op = (uint8_t)code, .a = 1, .imm = imm});
    tell(g);
}

static void memory(struct gen *g, int code)
{
    put(g, (struct sim_instr){.op = (uint8_t)code, .a = 1, .size = 4, .imm = 1});
    tell(g);
}

/* The handler gives the mutex back; so does who goes on. */
static void wait(struct gen *g, int code)
{
    op(g, SIM_LOCK, MUTEX);
    if (below(g, 2))
        memory(g, SIM_ADD);
    int at = put(g, (struct sim_instr){.op = (uint8_t)code, .a = 1, .imm = COND, .imm2 = MUTEX});
    tell(g);
    g->p->code[g->thread][at].at = g->p->length[g->thread];
    op(g, SIM_UNLOCK, MUTEX);
}

static void try_lock(struct gen *g)
{
    put(g, (struct sim_instr){.op = SIM_TRYLOCK, .a = 1, .imm = MUTEX});
    int at = put(g, (struct sim_instr){.op = SIM_JEQ, .a = 1, .imm = 0});
    op(g, SIM_UNLOCK, MUTEX);
    g->p->code[g->thread][at].imm2 = g->p->length[g->thread];
    tell(g);
}

static void waits(struct gen *g)
{
    switch (below(g, 7)) {
    case 0: told(g, SIM_CANCEL_SEM, SEM); break;
    case 1: told(g, SIM_CANCEL_SEMTIMED, SEM); break;
    case 2: case 3: wait(g, SIM_CANCEL_TIMEDWAIT); break;
    default: wait(g, SIM_CANCEL_WAIT); break;
    }
}

static void other(struct gen *g)
{
    switch (below(g, 11)) {
    case 0: op(g, SIM_LOCK, MUTEX); op(g, SIM_UNLOCK, MUTEX); break;
    case 1: memory(g, SIM_ADD); break;
    case 2: memory(g, SIM_LOAD); break;
    case 3: op(g, SIM_SEM_POST, SEM); break;
    case 4: op(g, SIM_SIGNAL, COND); break;
    case 5: op(g, SIM_BROADCAST, COND); break;
    case 6: try_lock(g); break;
    case 7: op(g, SIM_TESTCANCEL, 0); break;
    case 8: told(g, SIM_SEM_TRY, SEM); break;
    case 9: op(g, SIM_CANCEL_STATE, 1); break;
    default: op(g, SIM_SIGNAL, COND); break;
    }
}

/* Of the first thread, and often of another, the last is a wait. */
static void body(struct gen *g)
{
    int last = g->thread == 1 || below(g, 10) < 4;
    for (int n = !last + below(g, 2 + (g->workers == 2)); n > 0; n--)
        other(g);
    if (last)
        waits(g);
    op(g, SIM_END, 0);
}

static void main_body(struct gen *g)
{
    int asked = 1 + (below(g, 3) == 0), others = below(g, 3);
    while (asked + others > 0)
        if (below(g, asked + others) < asked) {
            op(g, SIM_CANCEL, 1 + (below(g, 5) == 0));
            asked--;
        } else {
            if (below(g, 3))
                other(g);
            else
                told(g, SIM_CANCEL_SEM, SEM);
            others--;
        }
    for (int t = 1; t <= g->workers; t++)
        if (below(g, 2))
            op(g, below(g, 2) ? SIM_JOIN : SIM_CANCEL_JOIN, t);
    op(g, SIM_END, 0);
}

void sim_random_endings(struct sim_program *p, uint64_t seed)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed ^ 0xe2d);
    memset(p, 0, sizeof *p);
    g.workers = 2 + (below(&g, 4) == 0);
    p->threads = g.workers + 1;
    p->initial[SEM] = (int16_t)below(&g, 2);
    p->cancels = 1;
    for (g.thread = 1; g.thread <= g.workers; g.thread++)
        body(&g);
    g.thread = 0;
    for (int t = 1; t <= g.workers; t++)
        op(&g, SIM_CREATE, t);
    main_body(&g);
}
