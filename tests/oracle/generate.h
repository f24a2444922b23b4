/* generate.h — what the makers of operations share. */
#ifndef ORACLE_GENERATE_H
#define ORACLE_GENERATE_H

#include "program.h"

enum family {
#define FAMILY(name) F_##name,
#include "families.def"
#undef FAMILY
    FAMILIES,
    OLDER = F_causal /* those before it */
};

enum { LENGTH = 60, PROMISES = 16, SHARED_REGISTERS = 12 };

struct list {
    struct instruction code[LENGTH];
    int count;
};

struct maker {
    struct program *p;
    uint64_t random, theme;
    int threads, body, depth, loops; /* how many beside main; the one that is being made */
    int mutexes, others, bits, place[2];
    int receiver[2];        /* of the ports */
    bool inside, pushed;    /* the monitor; a cleanup handler */
    unsigned held, reading; /* normal mutexes, and rwlocks, that this thread holds here */
    int registers[BODIES];
    struct list list[BODIES];
    struct instruction promise[PROMISES];
    int promise_of[PROMISES], promises;
};

int pick(struct maker *g, int n); /* 0 … n-1 */
bool chance(struct maker *g, int percent);
bool has(const struct maker *g, enum family f);
int new_register(struct maker *g);
void put(struct maker *g, struct instruction i);
int put_result(struct maker *g, struct instruction i); /* the register */
void promise(struct maker *g, struct instruction i);
void make_some(struct maker *g, int count);
void maybe_if(struct maker *g, int reg, int value);

/* Each adds something of its kind, or nothing. */
void make_memory(struct maker *g);
void make_waiting(struct maker *g);
void make_mutex(struct maker *g);
void make_rwlock(struct maker *g);
void make_objects(struct maker *g);
void make_sync(struct maker *g);
void make_system(struct maker *g);
void make_cancel(struct maker *g);
void choose_more_objects(struct maker *g);
void make_first(struct maker *g); /* at the beginning of a thread, and at its end */
void make_last(struct maker *g);

void make_functions(struct maker *g); /* initialisers and handlers */
void make_joins(struct maker *g);

#endif
