/* state.h — the state of a program that is interpreted, and what the steps of its threads are
 * written with.
 *
 * Written from POSIX.1, the C standard, the manual pages of Linux and include/raddle/sync.h. A
 * state is everything that later behaviour or the outcome depends on, in one flat struct without
 * padding that differs, so that states are equal if their bytes are. Waiting is nothing special: a
 * thread whose operation cannot go on has no move in that state. */
#ifndef ORACLE_STATE_H
#define ORACLE_STATE_H

#include "program.h"

enum status { ABSENT, RUNNING, ENDED, GONE /* joined, or ended detached */ };
enum {
    CALLS = 4,
    NOBODY = -1,
    FINISHING = 0x7fff, /* pc of a thread that ends */
    EXITING = 0x7ffe,   /* of one that ends the process */
    RETURNED = 2,       /* phase of a call */
    KEYS = 2,
    HANDLERS = 3,
    MESSAGES = 8
};

struct thread {
    int64_t reg[REGISTERS];
    int64_t kept; /* a value between two steps of one operation */
    int64_t result;
    int16_t pc, back[CALLS];
    int8_t calls, status, detached;
    int8_t phase;  /* 0: the operation was not begun */
    int8_t queued; /* condition, barrier, futex or port it waits at, or NOBODY */
    int8_t spurious;
    int8_t cancel_off, cancel_async, pending, cancelled;
    int8_t handler[HANDLERS], handlers; /* cleanup handlers, as numbers of functions */
    int8_t key[KEYS];
    int8_t knows[THREADS]; /* messages of each thread to causal ports that it has heard of */
};

/* Messages in the order they were sent, and who sent them. */
struct channel {
    int8_t value[MESSAGES], from[MESSAGES], priority[MESSAGES], call[MESSAGES], count, receiver,
        spare[6];
};

struct monitor {
    int8_t owner, urgent, queue[2][THREADS], queued[2];
};

struct mutex {
    int8_t owner, depth, dead /* its owner ended */, lost /* not recoverable */;
};

struct rwlock {
    int8_t writer, readers[THREADS], spare[2];
};

struct state {
    struct thread thread[THREADS];
    uint8_t memory[MEMORY];
    struct mutex mutex[OBJECTS];
    struct rwlock rwlock[OBJECTS];
    struct channel port[2], queue[2], pipe[2];
    int8_t known[2][MESSAGES][THREADS]; /* what the sender of each message to a causal port knew */
    int8_t racy[2], closed[2];
    struct monitor monitor;
    int8_t spinlock[OBJECTS], sem[OBJECTS], arrived[OBJECTS], once[OBJECTS];
    int8_t rsem[2], binary[2], lock[2], event[2], cell[2];
    int8_t handler[HANDLERS], handlers; /* of atexit */
    int8_t exiting, ended, undefined;
};

/* Gathers the successors of one state. */
struct moves {
    const struct program *program;
    const struct state *from;
    void (*found)(void *who, const struct state *next, int thread);
    void *who;
    bool spurious;
    bool free; /* also what POSIX allows and raddle says it does not do */
};

/* All steps that thread t can make. */
void thread_moves(struct moves *m, int t);
void state_start(const struct program *p, struct state *s);
/* Lets every thread perform what nobody else can notice; behind every step. */
void run_silent(const struct program *p, struct state *s, int t);

/* For the operations. A step that ends an operation: the result goes to the register, the thread to
 * the next instruction. */
void step_done(struct moves *m, struct state *next, int t, int64_t result);
/* A step within an operation. */
void step_within(struct moves *m, struct state *next, int t, int phase);
/* The program does what POSIX leaves undefined: the generator must not, the reducer may. */
void step_undefined(struct moves *m, const struct state *s, int t);
const struct instruction *current(const struct program *p, const struct state *s, int t);

/* Mutexes, for conditions too. Can t have it (or an error) now; the result if so. */
bool mutex_can_take(const struct program *p, const struct state *s, int number, int t);
int mutex_take(const struct program *p, struct state *s, int number, int t);
void mutex_release(struct state *s, int number);
/* A robust mutex that the thread holds when it ends passes on; false: it is none. */
bool cancel_point(enum op op);
/* Does the program cancel this thread at all? */
bool may_be_cancelled(const struct program *p, int t);
/* The thread acts on its cancellation. */
void cancel_act(const struct program *p, struct state *s, int t);
void cond_cancelled(struct moves *m, int t, const struct instruction *i);
/* The operation of another thread, which waits in it, is completed by this one's step. */
void complete(const struct program *p, struct state *s, int t, int64_t result);
bool mutex_orphaned(const struct program *p, struct state *s, int number, int t);

/* One function per family, told apart by the operation; false: not one of theirs. */
bool moves_memory(struct moves *m, int t, const struct instruction *i);
bool moves_mutex(struct moves *m, int t, const struct instruction *i);
bool moves_rwlock(struct moves *m, int t, const struct instruction *i);
bool moves_wait(struct moves *m, int t, const struct instruction *i);
bool moves_sync(struct moves *m, int t, const struct instruction *i);
bool moves_system(struct moves *m, int t, const struct instruction *i);
bool moves_cancel(struct moves *m, int t, const struct instruction *i);
bool moves_thread(struct moves *m, int t, const struct instruction *i);

#endif
