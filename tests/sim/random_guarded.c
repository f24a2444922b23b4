/* Random small programs in which variables have a mutex that is held where they are touched; nearly always:
 * now and then it is another one, or none, or main looks at the end. */
#include "sim.h"

#include "base/rng.h"

#include <string.h>

struct gen {
    struct sim_program *p;
    struct rng r;
    int thread;
};

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

static void access(struct gen *g, int variable)
{
    static const uint8_t codes[] = {SIM_LOAD, SIM_LOAD, SIM_STORE, SIM_STORE, SIM_ADD};
    put(g, (struct sim_instr){.op = codes[below(g, 5)], .a = (int8_t)below(g, 2), .size = 4,
                              .at = 8 * variable, .imm = 1 + below(g, 2)});
}

/* Only where something else was read. */
static void maybe(struct gen *g, int variable)
{
    int skip = put(g, (struct sim_instr){.op = SIM_JNE, .a = 0, .imm = 1 + below(g, 3)});
    access(g, variable);
    g->p->code[g->thread][skip].imm2 = g->p->length[g->thread];
}

static void section(struct gen *g)
{
    int mutex = below(g, 2), inner = below(g, 4) ? -1 : 1 - mutex;
    put(g, (struct sim_instr){.op = SIM_LOCK, .a = -1, .imm = mutex});
    access(g, below(g, 12) ? mutex : 1 - mutex);
    if (inner >= 0) {
        put(g, (struct sim_instr){.op = SIM_LOCK, .a = -1, .imm = inner});
        access(g, below(g, 2));
        put(g, (struct sim_instr){.op = SIM_UNLOCK, .a = -1, .imm = inner});
    } else if (below(g, 2)) {
        maybe(g, below(g, 6) ? mutex : 1 - mutex);
    }
    put(g, (struct sim_instr){.op = SIM_UNLOCK, .a = -1, .imm = mutex});
}

void sim_random_guarded(struct sim_program *p, uint64_t seed)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed);
    memset(p, 0, sizeof *p);
    int workers = 2 + below(&g, 2);
    p->threads = workers + 1;
    for (g.thread = 1; g.thread <= workers; g.thread++) {
        for (int i = 1 + below(&g, 4 - workers); i > 0; i--)
            section(&g);
        if (below(&g, 8) == 0)
            access(&g, below(&g, 2));
        else if (below(&g, 4) == 0)
            maybe(&g, below(&g, 2));
        put(&g, (struct sim_instr){.op = SIM_END});
    }
    g.thread = 0;
    for (int t = 1; t <= workers; t++)
        put(&g, (struct sim_instr){.op = SIM_CREATE, .imm = t});
    if (below(&g, 2) == 0) {
        for (int t = 1; t <= workers; t++)
            put(&g, (struct sim_instr){.op = SIM_JOIN, .imm = t});
        access(&g, 0);
    }
    put(&g, (struct sim_instr){.op = SIM_END});
}

/* Writes that others write over, and few reads: states that are reached in ways which are not equivalent. */
void sim_random_writes(struct sim_program *p, uint64_t seed)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed);
    memset(p, 0, sizeof *p);
    int workers = 3 + below(&g, 2), variables = 2 + below(&g, 2);
    p->threads = workers + 1;
    for (g.thread = 1; g.thread <= workers; g.thread++) {
        for (int i = 1 + below(&g, 5 - workers); i > 0; i--)
            put(&g, (struct sim_instr){.op = (uint8_t)(below(&g, 4) ? SIM_STORE : SIM_LOAD), .a = 0,
                                       .size = 4, .at = 8 * below(&g, variables), .imm = 1 + below(&g, 2)});
        put(&g, (struct sim_instr){.op = SIM_END});
    }
    g.thread = 0;
    for (int t = 1; t <= workers; t++)
        put(&g, (struct sim_instr){.op = SIM_CREATE, .imm = t});
    put(&g, (struct sim_instr){.op = SIM_END});
}
