/* Random small programs over ports, monitors, queues, futexes, descriptors, cancellation, mutexes
 * and rwlocks of every kind, with memory and semaphores: 2–3 threads beside main, each with a few
 * operations of one or two kinds. Threads can wait forever; nothing is done that is undefined. */
#include "sim.h"

#include "base/rng.h"

#include <string.h>

enum family {
#define FAMILY(name) name = SIM_FAMILY_##name
    FAMILY(PORTS), FAMILY(MONITORS), FAMILY(CHECKED), FAMILY(WRITERS), FAMILY(QUEUES), FAMILY(FUTEXES),
    FAMILY(PIPES), FAMILY(EVENTS), FAMILY(CANCELS), FAMILY(SEMS), FAMILIES
#undef FAMILY
};

/* Objects. Places: free ones of a bounded port. */
enum { SEM = 0, MUTEX = 2, RW = 4, MONITOR = 6, COND = 8, PLACES = 10, BOX = SIM_BOX };

struct gen {
    struct sim_program *p;
    struct rng r;
    unsigned theme;
    int thread, workers, receiver[2], bounded;
    int closes; /* pipe that this thread writes to, -1: none */
};

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

static int op(struct gen *g, int code, int a, int imm, int imm2)
{
    return put(g, (struct sim_instr){.op = (uint8_t)code, .a = (int8_t)a, .index = -1, .imm = imm,
                                     .imm2 = imm2});
}

static int jump_if(struct gen *g, int code, int a, int imm)
{
    return op(g, code, a, imm, 0);
}

static void land(struct gen *g, int at)
{
    g->p->code[g->thread][at].imm2 = g->p->length[g->thread];
}

static int result(struct gen *g)
{
    return below(g, 4);
}

static void memory(struct gen *g)
{
    static const uint8_t codes[] = {SIM_LOAD, SIM_LOAD, SIM_STORE, SIM_ADD};
    put(g, (struct sim_instr){.op = codes[below(g, 4)], .a = (int8_t)result(g), .index = -1, .size = 4,
                              .at = 8 * below(g, 2), .imm = 1 + below(g, 2)});
}

static void receive(struct gen *g, int port)
{
    struct sim_instr i = {.op = SIM_SELECT, .a = (int8_t)result(g), .index = -1, .imm = BOX + port,
                          .imm2 = -1};
    if (g->receiver[1 - port] == g->thread && !g->bounded && below(g, 2)) {
        i.imm = BOX;
        i.imm2 = BOX + 1;
        g->p->together = 1;
    }
    i.at = below(g, 4) == 0 && !g->bounded;
    put(g, i);
    if (g->bounded)
        op(g, SIM_SEM_POST, -1, PLACES + port, 0);
}

/* Who is no receiver sends. */
static void message(struct gen *g)
{
    int port = below(g, 2);
    if (g->receiver[port] == g->thread) {
        receive(g, port);
        return;
    }
    if (g->bounded)
        op(g, SIM_SEM_WAIT, -1, PLACES + port, 0);
    op(g, below(g, 5) ? SIM_SEND : SIM_CALL, -1, BOX + port, 1 + below(g, 3));
}

static void inside_monitor(struct gen *g)
{
    int what = below(g, 4), condition = COND + below(g, 2), at = -1;
    op(g, SIM_ENTER, -1, MONITOR, 0);
    if (what < 2) {
        if (below(g, 2)) {
            put(g, (struct sim_instr){.op = SIM_LOAD, .a = 0, .index = -1, .size = 4});
            at = jump_if(g, SIM_JNE, 0, 0);
        }
        op(g, SIM_MWAIT, -1, MONITOR, condition);
        if (at >= 0)
            land(g, at);
    } else {
        if (below(g, 2))
            memory(g);
        op(g, what == 2 && g->p->kind[MONITOR] == SIM_CONTINUE ? SIM_MBROADCAST : SIM_MSIGNAL, -1, MONITOR,
           condition);
    }
    if (below(g, 3) == 0)
        memory(g);
    op(g, SIM_LEAVE, -1, MONITOR, 0);
}

static void checked_mutex(struct gen *g)
{
    int m = MUTEX + below(g, 2), tries = below(g, 2), again = g->p->kind[m] != SIM_NORMAL, at = -1;
    op(g, tries ? SIM_MTRYLOCK : SIM_MLOCK, 0, m, 0);
    if (!again)
        at = jump_if(g, SIM_JEQ, 0, 0);
    else if (below(g, 2))
        op(g, below(g, 2) ? SIM_MTRYLOCK : SIM_MLOCK, result(g), m, 0);
    if (below(g, 3) == 0)
        memory(g);
    op(g, SIM_MUNLOCK, again ? result(g) : -1, m, 0);
    if (again && below(g, 2))
        op(g, SIM_MUNLOCK, result(g), m, 0);
    if (at >= 0)
        land(g, at);
}

static void rwlock(struct gen *g)
{
    static const uint8_t codes[] = {SIM_PRD, SIM_PRD, SIM_PTRYRD, SIM_PWR, SIM_PTIMEDWR};
    int code = codes[below(g, 5)], at;
    op(g, code, 0, RW, 0);
    at = jump_if(g, SIM_JEQ, 0, 0);
    if (code <= SIM_PTRYRD && below(g, 4) == 0) { /* a reader again, behind a writer that waits for it */
        op(g, SIM_PRD, -1, RW, 0);
        op(g, SIM_PUNLOCK, -1, RW, 0);
    } else if (below(g, 2)) {
        memory(g);
    }
    op(g, SIM_PUNLOCK, -1, RW, 0);
    land(g, at);
}

static void queue(struct gen *g)
{
    static const uint8_t codes[] = {SIM_QSEND, SIM_QSEND, SIM_QTRYSEND, SIM_QRECEIVE, SIM_QRECEIVE,
                                    SIM_QTRYRECEIVE, SIM_QCOUNT};
    put(g, (struct sim_instr){.op = codes[below(g, 7)], .a = (int8_t)result(g), .index = -1,
                              .imm = BOX + 2, .imm2 = 1 + below(g, 3), .at = below(g, 2)});
}

static void futex(struct gen *g)
{
    int what = below(g, 5);
    if (what == 0)
        put(g, (struct sim_instr){.op = SIM_STORE, .a = -1, .index = -1, .size = 4, .imm = below(g, 2)});
    else
        put(g, (struct sim_instr){.op = what < 3 ? SIM_FUTEX_WAIT : SIM_FUTEX_WAKE, .a = (int8_t)result(g),
                                  .index = -1, .size = 4, .imm = what < 3 ? below(g, 2) : 1 + below(g, 2),
                                  .imm2 = what < 3 && below(g, 3) == 0});
}

static void pipe_or_event(struct gen *g, int o)
{
    int reads = below(g, 2);
    if (!reads && (g->p->kind[o] & 3) == SIM_PIPE) {
        if (g->closes < 0)
            g->p->initial[o]++; /* one writer more */
        g->closes = o;
    }
    op(g, reads ? SIM_READ : SIM_WRITE, reads ? result(g) : -1, o, 1 + below(g, 3));
}

static void cancellation(struct gen *g)
{
    int what = below(g, 5), victim = 1 + below(g, g->workers);
    if (what < 2 && victim != g->thread)
        op(g, SIM_CANCEL, -1, victim, 0);
    else if (what < 3 || !g->thread)
        memory(g);
    else if (what < 4)
        op(g, SIM_TESTCANCEL, -1, 0, 0);
    else
        op(g, SIM_CANCEL_SEM, result(g), SEM + 1, 0);
    if (g->thread && below(g, 6) == 0)
        op(g, SIM_CANCEL_STATE, -1, below(g, 2), 0);
}

static void semaphore(struct gen *g)
{
    static const uint8_t codes[] = {SIM_SEM_WAIT, SIM_SEM_POST, SIM_SEM_POST, SIM_SEM_TRY};
    op(g, codes[below(g, 4)], result(g), SEM + below(g, 2), 0);
}

static void statement(struct gen *g)
{
    int family = below(g, FAMILIES);
    while (!(g->theme >> family & 1))
        family = (family + 1) % FAMILIES;
    switch (family) {
    case PORTS: message(g); break;
    case MONITORS: inside_monitor(g); break;
    case CHECKED: checked_mutex(g); break;
    case WRITERS: rwlock(g); break;
    case QUEUES: queue(g); break;
    case FUTEXES: futex(g); break;
    case PIPES: pipe_or_event(g, BOX); break;
    case EVENTS: pipe_or_event(g, BOX + 3); break;
    case CANCELS: cancellation(g); break;
    default: semaphore(g); break;
    }
}

static void body(struct gen *g, int statements, int causal)
{
    g->closes = -1;
    for (int i = 0; i < statements; i++)
        if (!causal && below(g, 4) == 0)
            memory(g);
        else
            statement(g);
    if (g->closes >= 0)
        op(g, SIM_CLOSE, -1, g->closes, 0);
}

/* Mostly one kind, sometimes two. Messages and bytes lie in the same boxes; on a causal port it
 * matters who knows of whom, which nothing but messages tells here. */
static int choose_theme(struct gen *g, int family)
{
    int first = below(g, FAMILIES - 1), second = below(g, FAMILIES), causal;
    first = family >= 0 ? family : first;
    g->theme = 1u << first;
    causal = first == PORTS && below(g, 3) == 0;
    if (below(g, 2) && !causal && !(first == PORTS && second == PIPES) &&
        !(first == PIPES && second == PORTS))
        g->theme |= 1u << second;
    for (int port = 0; port < 2; port++)
        g->p->kind[BOX + port] = (uint8_t)(causal ? SIM_CAUSAL : below(g, 2) ? SIM_ASYNC : SIM_FIFO);
    if (g->theme & 1u << PIPES)
        g->p->kind[BOX] = (uint8_t)(SIM_PIPE + (below(g, 3) ? 0 : SIM_TRIES));
    g->p->kind[BOX + 3] = (uint8_t)(SIM_EVENT + below(g, 2) + (below(g, 3) ? 0 : SIM_TRIES));
    g->bounded = !causal && g->theme == 1u << PORTS && below(g, 4) == 0;
    g->p->cancels = g->theme >> CANCELS & 1;
    return causal;
}

static void choose_objects(struct gen *g)
{
    struct sim_program *p = g->p;
    p->initial[SEM] = (int16_t)below(g, 2);
    p->initial[BOX + 2] = (int16_t)(1 + below(g, 2));
    p->initial[PLACES] = p->initial[PLACES + 1] = 1;
    p->kind[MONITOR] = (uint8_t)below(g, 2);
    p->kind[MUTEX] = (uint8_t)below(g, 3);
    p->kind[MUTEX + 1] = (uint8_t)below(g, 3);
    for (int port = 0; port < 2; port++)
        g->receiver[port] = below(g, g->workers + 1);
}

void sim_random_objects(struct sim_program *p, uint64_t seed)
{
    sim_random_family(p, seed, -1);
}

void sim_random_family(struct sim_program *p, uint64_t seed, int family)
{
    struct gen g = {.p = p};
    rng_seed(&g.r, seed ^ 0x51a1);
    memset(p, 0, sizeof *p);
    int causal = choose_theme(&g, family);
    g.workers = 2 + (below(&g, 3) == 0);
    p->threads = g.workers + 1;
    choose_objects(&g);
    for (int t = 1; t <= g.workers; t++) {
        g.thread = t;
        body(&g, 1 + below(&g, g.workers == 2 ? 3 : 2), causal);
        op(&g, SIM_END, -1, 0, 0);
    }
    g.thread = 0;
    for (int t = 1; t <= g.workers; t++)
        op(&g, SIM_CREATE, -1, t, 0);
    if (below(&g, 2))
        body(&g, 1 + below(&g, 2), causal);
    if (!p->cancels && below(&g, 2))
        for (int t = 1; t <= g.workers; t++)
            op(&g, SIM_JOIN, -1, t, 0);
    op(&g, SIM_END, -1, 0, 0);
}
