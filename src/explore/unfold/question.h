/* What questions about the states of a net have in common (question.c): those about deadlocks and about
 * properties. */
#ifndef EXPLORE_UNFOLD_QUESTION_H
#define EXPLORE_UNFOLD_QUESTION_H

#include "explore/unfold/unfold.h"

enum { WIDEST = 1 << 21, WAITS = 2048, CYCLE_ROOM = 4096, QUESTION_HOLDERS = 256, QUESTION_HELD = 8 };

/* Standpoints of a thread before the same operation on the same object in the same place of the program. */
struct net_wait {
    uint64_t pc;
    uint32_t thread, slot; /* slots */
    uint8_t kind;
    uint32_t literal; /* implied by standing there … */
    uint32_t really;  /* … and one that implies it */
};

/* Conditions in which a thread holds the same mutexes and wants the same one (0: something else). */
struct question_holder {
    uint32_t thread, wants, held_count, held[QUESTION_HELD]; /* slots */
    uint32_t literal; /* it is in one of them */
    uint8_t kind;
};

struct question {
    struct unfold *u;
    struct cdcl *s;
    uint32_t *clause; /* [WIDEST] */
    uint32_t n;
    struct net_wait waits[WAITS];
    uint32_t wait_count;
    bool too_wide;
    uint32_t on_lock, left_locked; /* ends.c: imply that somebody waits for a lock, has left one */
    struct question_holder holders[QUESTION_HOLDERS];
    uint32_t holder_count;
    bool holders_known;
};

/* Is it the same wait? May a deadlock begin with this thread at c? `ever`: with what later
 * executions may show. And what it waits for. */
bool question_same_wait(const struct net_wait *a, const struct net_wait *b);
bool question_may_wait(const struct unfold *u, const struct net_condition *c, bool ever);
struct net_wait question_wait_at(const struct net_condition *c);

int question_begin(struct question *q, struct unfold *u);

/* A clause, literal by literal; and its end. */
void question_add(struct question *q, uint32_t literal);
void question_clause(struct question *q);
void question_implies(struct question *q, uint32_t a, uint32_t b);

/* Adds: c is not there, it was not put, or somebody takes it. */
void question_absent(struct question *q, const struct net_condition *c);
void question_conditions(struct question *q, void (*f)(struct question *, struct net_condition *));

/* The clauses of the states that can be reached: B1, B3 and C1; literals of all events. Cycles of who reads
 * before whom (C2, C3) are left out at first: if a solution has one, the events in it are excluded. */
void question_states(struct question *q);

/* If yes the net's merged[] is such a state and order[] leads there. *again: a cycle was excluded, the
 * question must be asked again. */
enum answer question_answer(struct question *q, bool *again);

/* holders.c: who waits for a mutex waits for one who holds it. */
void question_holders(struct question *q);

/* ends.c: not where the process ends. */
void question_ends(struct question *q);

/* shown.c: not what was executed. And: the net's merged[] is to be executed; false: it was, or there is no
 * room. */
void question_exclude_shown(struct question *q);
bool unfold_deadlock_plan(struct unfold *u);

#endif
