/* Expressions over the bytes of the program's inputs: bit vectors of 1 to 64 bits in a graph without
 * duplicates, so equal expressions have equal numbers and what was found out about one can be kept with
 * it. Number 0 is "none": a value that does not depend on an input. Operands have smaller numbers than
 * what is made of them. Building simplifies; what has constant operands becomes a constant.
 *
 * All memory comes from an arena; nothing is freed. When it is full, exprs_full() is true and the
 * functions return 0, which means concrete: the caller has to say so. */
#ifndef SOLVE_EXPR_H
#define SOLVE_EXPR_H

#include "base/htable.h"

#include <stdbool.h>
#include <stdint.h>

enum expr_op {
#define OP(name, text) OP_##name,
#include "solve/expr.def"
#undef OP
    EXPR_OPS
};

struct expr {
    uint8_t op, width;
    uint16_t single; /* it depends on this one byte of input only, + 1; 0: on several or on none */
    uint32_t a, b, c;
    uint64_t value;  /* CONST */
    uint64_t inputs; /* a bit for each byte of input it depends on, by the lowest 6 bits of its number */
};

/* Numbers of bytes of input are below this. */
#define EXPR_INPUTS 16384u

/* What was made of these operands, last of all that belong to its place. */
struct expr_memo {
    uint32_t op, a, b, result; /* 0: nothing yet */
};
#define EXPR_MEMO 1024u

struct exprs {
    struct expr *nodes;
    uint32_t count, room;
    struct expr_memo *memo; /* [EXPR_MEMO]: an execution does much the same as the one before */
    struct htable table; /* of nodes, by what they are */
    /* For walks over the graph. */
    uint32_t *stamp, now;
    uint64_t *values;
    uint32_t *list, *stack;
};

int exprs_init(struct exprs *x, struct arena *a, uint32_t room); /* -1: the arena is too small */
bool exprs_full(const struct exprs *x);

uint32_t expr_const(struct exprs *x, uint64_t value, unsigned width);
uint32_t expr_input(struct exprs *x, uint32_t byte);
/* AND … SREM, EQ, ULT, SLT. A division by zero is what SMT-LIB says. */
uint32_t expr_binary(struct exprs *x, enum expr_op op, uint32_t a, uint32_t b);
uint32_t expr_not(struct exprs *x, uint32_t a);
uint32_t expr_extend(struct exprs *x, uint32_t a, unsigned width, bool is_signed);
uint32_t expr_extract(struct exprs *x, uint32_t a, unsigned low, unsigned width);
uint32_t expr_concat(struct exprs *x, uint32_t high, uint32_t low);
uint32_t expr_ite(struct exprs *x, uint32_t cond, uint32_t yes, uint32_t no);

/* Its value where byte i of the input is bytes[i]; bytes from count on are 0. */
uint64_t expr_eval(struct exprs *x, uint32_t e, const uint8_t *bytes, uint32_t count);
/* The values of a list that expr_walk gave, in x->values. */
void expr_eval_list(struct exprs *x, const uint32_t *list, uint32_t n, const uint8_t *bytes,
                    uint32_t count);
/* All expressions below the n given ones, operands first; the list is valid until the next walk. */
uint32_t expr_walk(struct exprs *x, const uint32_t *roots, uint32_t n, const uint32_t **list);

static inline const struct expr *expr_at(const struct exprs *x, uint32_t e)
{
    return &x->nodes[e];
}

static inline uint64_t expr_ones(unsigned width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

static inline int64_t expr_signed(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* What the operation gives for constant operands of the given width. */
uint64_t expr_compute(enum expr_op op, uint64_t a, uint64_t b, unsigned width);
/* The most that node n has of operands: 0 … 3, in operands[]. */
unsigned expr_operands(const struct expr *n, uint32_t operands[3]);

#endif
