/* The race table of a SYN-sequence (000_*.txt, section VI.B) and the variants its rows stand for. */
#ifndef EXPLORE_REACH_TABLE_H
#define EXPLORE_REACH_TABLE_H

#include "explore/reach/reach_seq.h"

/* What a positive value stands for. */
struct reach_change {
    uint32_t event;   /* the operation whose receiving event is changed */
    uint32_t partner; /* as in its race set; REACH_NONE: a read that cannot keep its version */
};

/* One row at a time. A column is a receiving event with a race set; its value in the row says what
 * becomes of the event: -1 it is removed, 0 it stays as it is, v > 0 it gets the v-th event of its race
 * set as its sending partner. */
struct reach_table {
    uint32_t *heading; /* operations, in an order that extends happened-before */
    int32_t *row;
    uint32_t columns;
    /* Of the row: its positive values, what becomes of every operation, and an order of those that are
     * in the variant (reach_arrange). */
    struct reach_change *changed;
    uint8_t *state;
    uint32_t *order;
    uint32_t changes, ordered;
    bool hard; /* there was a row for which no order was found, though there might be a part of it that
                  the program could follow */
    /* The part of the table that is left after a split: columns before `fixed` stay as they are, and
     * that column goes up to `ceiling` (-1: to its end). `ready`: the row is the next one as it is. */
    uint32_t fixed;
    int32_t ceiling;
    bool ready;
    uint32_t dead_end; /* unless 0: no row that has the values of the columns before it is a variant */
};

/* The table of q before its first row; all arrays have room for q->count entries. */
void reach_table_begin(struct reach_table *t, const struct reach_seq *q);

/* Goes to the next row; false if there is none. Every row is a valid variant, none comes twice. */
bool reach_table_next(struct reach_table *t, const struct reach_seq *q);

/* Is there another row that reach_table_split could give away? */
bool reach_table_rest(const struct reach_table *t, const struct reach_seq *q);
/* Divides the rows that are left: *part gets some of them (its row needs room for t->columns; heading
 * and changed are shared), t keeps the others. False: t has no row left to give. */
bool reach_table_split(struct reach_table *t, const struct reach_seq *q, struct reach_table *part);

/* What a compare-exchange is to do. */
enum reach_exchange { REACH_NO_EXCHANGE, REACH_FAILS, REACH_SUCCEEDS };

#define REACH_ANYBODY UINT16_MAX /* as a sender: any message of the port `value` */

/* A variant in the form needed to run it: the operations to perform in this order, and what must not
 * be matched afterwards. */
struct reach_plan_op {
    uint16_t thread;
    uint8_t class, kind;
    uint8_t black;
    uint32_t index;
    uint32_t value;  /* BRANCH: the value; RECEIVE: index of the send in its thread, or REACH_ELSE */
    uint16_t sender; /* RECEIVE: thread of the send */
    bool changed;    /* the receiving event has another partner than before */
    uint8_t exchange; /* enum reach_exchange */
    bool may_wait;   /* READ: if this version sends it round its loop again, it waits for a new one */
};

enum reach_left_kind {
    REACH_LEFT_BRANCH,  /* a thread that is not to make its branch */
    REACH_LEFT_CALL,    /* `number` is a thread whose pending call is in the variant */
    REACH_LEFT_OBJECT,  /* an object whose next receiving event is in the variant, unmatched */
    REACH_LEFT_RECEIVE, /* a thread whose next receive is in the variant, unmatched */
};

struct reach_left {
    uint32_t kind, number;
    uint32_t index;  /* LEFT_CALL: of the operation in its thread … */
    uint32_t called; /* … and its kind */
    bool open;       /* of a read: it may have the last version of the variant */
};

struct reach_plan {
    struct reach_plan_op *ops;
    uint32_t count;
    struct reach_left *left;
    uint32_t left_count;
};

/* Does the receiving event of r happen before what the change needs, its new partner? */
bool reach_before_partner(const struct reach_seq *q, const struct reach_op *r,
                          const struct reach_change *c);

/* What is not done as it was because the change uses its call: reach_undone. */
static inline uint32_t reach_undone_by(const struct reach_seq *q, const struct reach_change *c)
{
    return q->ops[c->event].class == REACH_OBJECT ? reach_undone(q, c->partner) : REACH_NONE;
}

/* Can the row's variant be put in an order that the program could follow? Without reads of variables every
 * row can; a read must be between the write of its version and the next one. Reads that cannot keep
 * their version beside the changes become changes without a partner. */
bool reach_arrange(struct reach_table *t, const struct reach_seq *q);

/* Where an operation is in the variant of the table's row, as arranged: nowhere; needed for its changes, or
 * black; or kept (if it was not done: it can be taken up). Its value there, of a branch. */
enum reach_place { REACH_NOWHERE, REACH_NEEDED, REACH_KEPT };
enum reach_place reach_place(const struct reach_seq *q, const struct reach_table *t, uint32_t k);
uint32_t reach_value(const struct reach_seq *q, const struct reach_table *t, uint32_t k);
/* The operation is not in the variant, nor what happens after it: arranged again without; false as above. */
bool reach_give_up(struct reach_table *t, const struct reach_seq *q, uint32_t k);
/* The branch, which is not done, is. */
void reach_take_up(struct reach_table *t, uint32_t k);
/* Neither the row is a variant nor one with the same changes and more. */
void reach_table_dead_end(struct reach_table *t);

/* The variant of the table's row, as arranged.
 * p->ops needs room for 2 × q->count entries, p->left for as many. */
void reach_derive(const struct reach_seq *q, struct reach_table *t, struct reach_plan *p);

#endif
