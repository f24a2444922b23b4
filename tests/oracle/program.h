/* program.h — a random program as data: what the generator makes, the emitter turns into C, and the
 * enumerator interprets. Its text form (one instruction per line) is what the reducer works on. */
#ifndef ORACLE_PROGRAM_H
#define ORACLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum op {
#define OP(name, text) OP_##name,
#include "ops.def"
#undef OP
    OPS
};

enum {
    THREADS = 5,    /* main and four more */
    REGISTERS = 16, /* of a thread; the last four belong to functions that any thread may run */
    UNSET = -77,    /* the value of a register that was not written */
    MEMORY = 16,    /* bytes of atomic memory */
    CODE = 400,
    BODIES = 12, /* functions: one per thread, then initialisers, destructors, handlers */
    OBJECTS = 3  /* of a kind */
};
enum {
    ONCE_BODY = THREADS,
    KEY_BODY = THREADS + 2,
    CLEANUP_BODY = THREADS + 4,
    ATEXIT_BODY = THREADS + 5
};

/* Objects that have a parameter: the type of a mutex, the value of a semaphore, … */
enum kind {
    MUTEX,
    RWLOCK,
    SEM,
    BARRIER_OF,
    KEY,     /* 1: it has a destructor */
    PORT,    /* order (0 FIFO, 1 causal, 2 none), and 4 times the capacity */
    MONITOR, /* 0 signal and continue, 1 signal and urgent wait */
    RSEM,
    BINARY,
    QUEUE, /* capacity */
    PIPE,  /* 1: reads do not wait */
    EVENT, /* 1 reads take one at a time, 2 reads do not wait */
    KINDS
};

struct instruction {
    uint8_t op;
    int8_t d; /* result register, -1: none */
    int a, b, v, w, x;
};

struct body {
    int first, count;
};

struct program {
    long seed;
    int bodies;
    struct body body[BODIES]; /* 0 … THREADS-1 are threads */
    struct instruction code[CODE];
    int codes;
    int object[KINDS][OBJECTS]; /* -1: not used */
    int flags;
};
enum {
    FLAG_KILL = 1,     /* the process ends while threads still run; the outcome is what the one that
                          ends it saw */
    FLAG_SPURIOUS = 2, /* condition waits may wake up by themselves, once per thread */
    FLAG_CANCEL = 4,   /* threads are cancelled */
    FLAG_RACY = 8,     /* variables are accessed without protection */
    FLAG_LAST = 16,    /* main ends alone, the process with the last thread; the outcome is the memory */
    FLAG_SAME = 32     /* the threads beside main do the same */
};

const char *op_name(enum op op);
void program_clear(struct program *p);
void program_write(const struct program *p, FILE *to);
/* Reads the next program; false at the end. */
bool program_read(struct program *p, FILE *from);
/* The registers that make the outcome, as thread * REGISTERS + register; how many. Of a program
 * that a thread may end at any time those of that thread alone. */
int program_observed(const struct program *p, int exiting, uint8_t *observed);

/* Random programs of the families in `families` (bits, in the order of families.def). */
void generate(struct program *p, long seed, uint64_t families);
const char *family_name(int family); /* NULL behind the last */

/* Writes C functions for p, named p<number>_…; the last is p<number>_main. */
void emit(const struct program *p, int number, FILE *to);

#endif
