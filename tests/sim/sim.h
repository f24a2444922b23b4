/* A simulator of small multithreaded programs that drives engines through explore/engine.h the way
 * the runtime does, but shares no code with it: a machine with byte-addressed memory, mutexes,
 * conditions, semaphores, rwlocks and barriers whose whole state is one copyable struct. It also
 * enumerates all interleavings without any engine (sim_brute) and computes, naively, the canonical
 * form of the Mazurkiewicz trace of an execution (sim_canonical). */
#ifndef SIM_H
#define SIM_H

#include "explore/engine.h"

#include <stdint.h>

enum sim_op {
    SIM_LOAD,   /* r[a] = mem[at] */
    SIM_STORE,  /* mem[at] = imm + r[a] (a < 0: imm) */
    SIM_ADD,    /* r[a] = fetch_add(mem[at], imm) */
    SIM_CAS,    /* r[a] = compare_exchange(mem[at], imm, imm2) succeeded */
    SIM_SPIN,   /* while (mem[at] == imm) ; */
    SIM_FREE,   /* free(at, size) */
    SIM_LOCK, SIM_TRYLOCK, SIM_TIMEDLOCK, SIM_UNLOCK, /* object imm (+ r[index]); r[a] = got it */
    SIM_WAIT, SIM_TIMEDWAIT, /* condition imm, mutex imm2; r[a] = timed out */
    SIM_SIGNAL, SIM_BROADCAST,
    SIM_SEM_WAIT, SIM_SEM_TRY, SIM_SEM_TIMED, SIM_SEM_POST, SIM_SEM_VALUE,
    SIM_RDLOCK, SIM_TRYRD, SIM_WRLOCK, SIM_TRYWR, SIM_RW_UNLOCK,
    SIM_BARRIER,
    /* Not visible. */
    SIM_CREATE, SIM_JOIN, /* thread imm (+ r[index]) of the program */
    SIM_CHOOSE,           /* r[a] = choice of imm */
    SIM_SET,              /* r[a] = imm + r[index] */
    SIM_SUM,              /* r[a] = r[index] + r[imm] */
    SIM_MUL,              /* r[a] = r[index] * imm */
    SIM_MOD,              /* r[a] = r[index] % imm */
    SIM_JEQ, SIM_JNE, SIM_JLT, /* if (r[a] ? imm) goto imm2 */
    SIM_JMP,                   /* goto imm2 */
    SIM_PEEK, SIM_POKE,        /* as LOAD and STORE, but plain: no event */
    SIM_ASSUME,                /* r[a] != 0, or the execution does not count */
    SIM_END
};

struct sim_instr {
    uint8_t op;
    int8_t a;     /* register */
    int8_t index; /* register added to imm/at (scaled by size for memory); -1 = none */
    uint8_t size; /* of a memory access */
    int32_t at, imm, imm2;
};

enum { SIM_THREADS = 40, SIM_REGS = 6, SIM_MEMORY = 512, SIM_OBJECTS = 160, SIM_CODE = 80 };
enum { SIM_SYNC_BASE = 0x10000 }; /* object i has address SIM_SYNC_BASE + 64 i */

struct sim_program {
    int threads;
    uint16_t length[SIM_THREADS];
    struct sim_instr code[SIM_THREADS][SIM_CODE];
    uint8_t memory[SIM_MEMORY];       /* initial */
    int16_t initial[SIM_OBJECTS];     /* semaphores: value; barriers: count */
};

struct sim_branches { /* values to take in a step; beyond them `ask` is called */
    int (*ask)(void *ctx, const struct event *op, int n);
    void *ctx;
};

struct sim_thread {
    uint16_t pc;
    uint8_t state; /* enum in sim.c */
    uint8_t phase; /* of a condition wait */
    uint8_t signalled, spinning, spun, timed;
    uint16_t joining, program;
    uint32_t events;
    int32_t r[SIM_REGS];
};

struct sim_state {
    const struct sim_program *p;
    int threads, assume_failed;
    uint8_t memory[SIM_MEMORY];
    int16_t count[SIM_OBJECTS]; /* mutex: depth; sem: value; rw: readers; barrier: arrived */
    int16_t owner[SIM_OBJECTS]; /* thread + 1 */
    int16_t started[SIM_THREADS]; /* program thread → id + 1 */
    struct sim_thread t[SIM_THREADS];
};

struct sim_log { /* where events go */
    void (*event)(void *ctx, const struct event *ev);
    void *ctx;
};

void sim_start(struct sim_state *s, const struct sim_program *p, struct sim_log *log,
               struct sim_branches *b);
int sim_live(const struct sim_state *s, int t);
int sim_enabled(const struct sim_state *s, int t);
void sim_pending(const struct sim_state *s, int t, struct event *out);
void sim_step(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b);

/* Canonical form of a finished execution: a 128-bit hash of the labelled partial order. */
struct sim_trace_id {
    uint64_t a, b;
};
struct sim_trace_id sim_canonical(const struct event *events, int n);

/* A set of them; add returns 1 if it was new. */
struct sim_set {
    struct sim_trace_id *slot;
    size_t used, room;
};
int sim_set_add(struct sim_set *set, struct sim_trace_id id);
int sim_set_equal(const struct sim_set *x, const struct sim_set *y);
void sim_set_free(struct sim_set *set);

/* All interleavings; stops and returns -1 beyond `limit`, otherwise their number. */
long sim_brute(const struct sim_program *p, long limit, struct sim_set *out);

/* One worker: an engine with its own arena and trace, as the runtime would hold it. */
struct sim_worker {
    const struct sim_program *p;
    const struct engine_class *strategy;
    struct run_config config;
    struct trace trace;
    struct arena arena;
    struct engine engine;
    struct sim_state now;
    struct event next[SIM_THREADS];
    struct tset enabled, live;
    enum outcome outcome;
    int over, last;
    /* What was found. */
    struct sim_set seen; /* filled if `collect` */
    int collect;
    long complete, blocked, assumed, bounded, duplicates, deadlocks, new_events, events;
    char *memory;
};
void sim_worker_open(struct sim_worker *w, const struct sim_program *p, const char *engine,
                     int sleep);
int sim_worker_once(struct sim_worker *w); /* one execution; 1: there is another */
void sim_worker_run(struct sim_worker *w, long limit);
void sim_worker_close(struct sim_worker *w);

/* A search shared by several workers; see team.c. Chances are in a thousand, per execution. */
struct sim_team {
    int workers, splits, deaths, collect;
    uint64_t seed;
    /* Results. */
    long complete, blocked, assumed, bounded, deadlocks, duplicates, splits_done, additions, overlaps;
    struct sim_set seen;
};
void sim_team_run(struct sim_team *t, const struct sim_program *p, const char *engine, int sleep);
/* The same in shared memory; see grove.c. */
void sim_grove_run(struct sim_team *t, const struct sim_program *p, const char *engine, int sleep);

/* The programs of the literature whose numbers of traces are known; see programs.c. */
struct sim_known {
    const char *name;
    int n;
    long traces, deadlocks;
    void (*build)(struct sim_program *p, int n);
};
extern const struct sim_known sim_known[];
extern const int sim_known_count;
const struct sim_known *sim_known_find(const char *name);

/* Random small programs; the same seed gives the same program. */
void sim_random_program(struct sim_program *p, uint64_t seed);

#endif
