/* A simulator of small multithreaded programs that drives engines through explore/engine.h the way
 * the runtime does, but shares no code with it or with src/object: a machine with byte-addressed
 * memory, mutexes, conditions, semaphores, rwlocks and barriers, ports, monitors, message queues,
 * futexes, descriptors and cancellation, whose whole state is one copyable struct. It also
 * enumerates all interleavings without any engine: their Mazurkiewicz traces (sim_brute, with the
 * canonical form of sim_canonical, computed naively) or what they come to (sim_outcomes). */
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
    /* objects.c. Ports: message imm2 to port imm; a call waits until it has been received. SELECT:
     * r[a] = what port imm or, unless -1, imm2 gives, 100 more for the second; at: else -1. */
    SIM_SEND, SIM_CALL, SIM_SELECT,
    SIM_ENTER,                                     /* monitor imm */
    SIM_MLOCK, SIM_MTRYLOCK, SIM_MUNLOCK,          /* mutex imm of any kind: r[a] = succeeded */
    SIM_PRD, SIM_PTRYRD, SIM_PWR, SIM_PTIMEDWR, SIM_PUNLOCK, /* rwlock imm that prefers writers */
    /* system.c. Queues: imm2 with priority at; r[a] = 10 message + priority, or -1; the number. */
    SIM_QSEND, SIM_QTRYSEND, SIM_QRECEIVE, SIM_QTRYRECEIVE, SIM_QCOUNT,
    SIM_FUTEX_WAIT, SIM_FUTEX_WAKE, /* at; imm: value, number; imm2: timed; r[a] = 0, -1, -2; woken */
    SIM_READ, SIM_WRITE, SIM_CLOSE, /* descriptor imm; r[a] = byte or count, 0 at the end, -1 */
    SIM_CANCEL, SIM_TESTCANCEL, SIM_CANCEL_SEM, /* thread imm; semaphore imm, a cancellation point */
    /* endings.c: as without CANCEL, but cancellation points; at: the handler, 0: the end. */
    SIM_CANCEL_WAIT, SIM_CANCEL_TIMEDWAIT, SIM_CANCEL_SEMTIMED, SIM_CANCEL_JOIN,
    /* Not visible. */
    SIM_LEAVE, SIM_MWAIT, SIM_MSIGNAL, SIM_MBROADCAST, /* monitor imm, condition imm2 */
    SIM_CANCEL_STATE,                                  /* imm: 1 = not now */
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
enum { SIM_BOXES = 4, SIM_BOX = 16, SIM_MESSAGES = 8, SIM_CLOCK = 8 }; /* objects 16 … have messages */

/* kind of an object: */
enum { SIM_FIFO, SIM_CAUSAL, SIM_ASYNC };               /* port, as in raddle/sync.h */
enum { SIM_CONTINUE, SIM_URGENT };                      /* monitor */
enum { SIM_NORMAL, SIM_RECURSIVE, SIM_ERRORCHECK };     /* mutex */
enum { SIM_PIPE, SIM_EVENT, SIM_EVENT_ONE, SIM_TRIES = 4 }; /* descriptor; + SIM_TRIES: does not block */

struct sim_program {
    int threads;
    uint16_t length[SIM_THREADS];
    struct sim_instr code[SIM_THREADS][SIM_CODE];
    uint8_t memory[SIM_MEMORY];       /* initial */
    int16_t initial[SIM_OBJECTS];     /* semaphores: value; barriers: count; queues: room; pipes: writers */
    uint8_t kind[SIM_OBJECTS];
    uint8_t together;                 /* some SELECT looks at two ports */
    uint8_t cancels;                  /* threads are cancelled: their ends are steps */
};

struct sim_branches { /* values to take in a step; beyond them `ask` is called */
    int (*ask)(void *ctx, const struct event *op, int n);
    void *ctx;
    uint32_t candidates[SIM_BOXES * SIM_MESSAGES + 1]; /* in a SELECT: the sends that values stand for */
};

struct sim_thread {
    uint16_t pc;
    uint8_t state; /* enum in sim.c */
    uint8_t phase; /* of a condition wait */
    uint8_t signalled, spinning, spun, timed;
    uint8_t opened;                       /* named the ports it can receive from */
    uint8_t wanted, off, interrupted, ending; /* cancellation */
    uint8_t passed, resumes, hands_on;    /* … of a wait: the point before it; endings.c */
    uint8_t awaits;                       /* PARKED: object + 1 it waits for; the futex at this byte + 1 */
    uint8_t ticket;                       /* since when */
    uint8_t clock[SIM_CLOCK];             /* messages of each thread that it knows of */
    uint16_t joining, program;
    uint32_t events;
    int32_t r[SIM_REGS];
};

struct sim_message {
    int8_t value, from, priority, call;
    uint32_t event; /* of the send, in the trace */
    uint8_t clock[SIM_CLOCK];
};

struct sim_box {
    struct sim_message m[SIM_MESSAGES];
    int count;
};

struct sim_state {
    const struct sim_program *p;
    int threads, assume_failed, tickets;
    uint32_t logged; /* events so far */
    uint32_t left;   /* bit t: the wake under way has woken it, and not all */
    struct sim_box box[SIM_BOXES];
    int8_t writers[8]; /* of the first objects, if rwlocks: that wait */
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
int sim_joined(const struct sim_state *s, int t); /* the thread that t waits for the end of, -1 */
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

/* What an execution has come to: registers, memory, contents of objects, who ended or where it waits. */
struct sim_trace_id sim_outcome(const struct sim_state *s);
/* The same with these instead of traces. */
long sim_outcomes(const struct sim_program *p, long limit, struct sim_set *out);

/* What a thread has of its own, as words, how many: where it stands and its registers; as a number. */
enum { SIM_OWN = SIM_REGS + 2 };
int sim_own(const struct sim_state *s, int t, uint64_t *words);
struct sim_trace_id sim_own_id(const struct sim_state *s, int t);
/* Who waits for what. */
struct sim_trace_id sim_stuck_id(const struct sim_state *s);

/* All states that can be reached, also of programs with loops (explicit.c): what threads have of their own in
 * them (but not those who join: in an execution that finds its thread ended nobody stands there); states in
 * which nobody can go on, and who waits for what there. False: more than `limit`. */
struct sim_reached {
    struct sim_set states, locals, stuck;
    long finals;
};
bool sim_reach(const struct sim_program *p, long limit, struct sim_reached *out);
void sim_reached_free(struct sim_reached *r);

/* One worker: an engine with its own arena and trace, as the runtime would hold it. */
struct sim_worker {
    const struct sim_program *p;
    const struct engine_class *strategy;
    struct run_config config;
    struct trace trace;
    struct arena arena;
    struct engine engine;
    struct sim_state now;
    struct event next[SIM_THREADS], shown[SIM_THREADS];
    struct tset enabled, live;
    enum outcome outcome;
    int over, last, gave_up;
    struct captured captured[SIM_THREADS]; /* for engines that compare what threads have of their own */
    uint64_t own[SIM_THREADS][SIM_OWN];
    /* What was found. */
    struct sim_set locals, stuck; /* as sim_reach has them, of engines with `captures` */
    long rounds;                  /* livelocks */
    struct sim_set seen; /* filled if `collect`, with traces or, 2, with outcomes */
    int collect;
    long complete, blocked, assumed, bounded, duplicates, deadlocks, new_events, events;
    char *memory;
};
void sim_worker_open(struct sim_worker *w, const struct sim_program *p, const char *engine,
                     int sleep);
/* The same for engines that compare states: enum match_mode. */
void sim_worker_open_matching(struct sim_worker *w, const struct sim_program *p, const char *engine,
                              int sleep, int match);
int sim_worker_once(struct sim_worker *w); /* one execution; 1: there is another */
void sim_worker_run(struct sim_worker *w, long limit);
void sim_worker_close(struct sim_worker *w);

/* A search shared by several workers; see team.c. Chances are in a thousand, per execution. */
struct sim_team {
    int workers, splits, deaths, collect;
    uint64_t seed, memory; /* that the coordinator may keep; 0: as much as it takes */
    /* Results. */
    long complete, blocked, assumed, bounded, deadlocks, duplicates, splits_done, additions, overlaps;
    bool full; /* the memory was too little */
    long of_bound[BOUND_STATS]; /* executions, of engines with bounds */
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
/* The same with loops, which may never end. */
void sim_random_loops(struct sim_program *p, uint64_t seed);
/* … in which variables are nearly always touched under the same mutex. */
void sim_random_guarded(struct sim_program *p, uint64_t seed);
/* … that write over what others wrote. */
void sim_random_writes(struct sim_program *p, uint64_t seed);
/* … whose waits are asked to end. */
void sim_random_endings(struct sim_program *p, uint64_t seed);
/* The same over all operations; their traces are not known to sim_canonical. */
void sim_random_objects(struct sim_program *p, uint64_t seed);
/* … with one kind of object that is certainly among them; -1: any. */
enum {
    SIM_FAMILY_PORTS, SIM_FAMILY_MONITORS, SIM_FAMILY_CHECKED, SIM_FAMILY_WRITERS, SIM_FAMILY_QUEUES,
    SIM_FAMILY_FUTEXES, SIM_FAMILY_PIPES, SIM_FAMILY_EVENTS, SIM_FAMILY_CANCELS, SIM_FAMILY_SEMS
};
void sim_random_family(struct sim_program *p, uint64_t seed, int family);

#endif
