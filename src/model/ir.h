/* Expressions and statements of one process instance after lowering: names are gone, parameters
 * and quantifiers folded, every variable is a place in the state's bytes. model/eval.c interprets
 * them, model/gen_expr.c prints them as C, model/promela.c as Promela. */
#ifndef MODEL_IR_H
#define MODEL_IR_H

#include "model/ast.h"

enum { TYPE_INT = -1, TYPE_BOOL = -2 }; /* ≥ 0: an enumeration */

enum ir_kind { IR_CONST, IR_LOAD, IR_REG, IR_AT, IR_UN, IR_BIN, IR_COND };

struct ir;

struct place_index {
    struct ir *index;
    int stride, count;
};

/* Where a variable is: off + Σ index·stride; stored as value - lo in width bytes. */
struct model_place {
    int off, width, type;
    long long lo, hi;
    int proc, var; /* whose, and which scalar of it at off (for printing) */
    int count;
    struct place_index index[4];
};

struct ir {
    enum ir_kind kind;
    enum op op;
    int type;
    long long lo, hi; /* the value is always within */
    long long num;    /* CONST; the register of REG; the state of AT */
    int proc;         /* AT */
    struct model_place *place;
    struct ir *x, *y, *z;
    int line, col;
};

enum is_kind { IS_ASSIGN, IS_IF, IS_FOR, IS_ASSERT };

struct is;
typedef VEC(struct is *) is_list;

struct is {
    enum is_kind kind;
    int line, col;
    struct model_place *place;   /* ASSIGN */
    struct ir *value, *to; /* condition of IF and ASSERT; FOR: value .. to */
    int reg;               /* FOR */
    char *text;            /* ASSERT: what to say */
    is_list body, other;
};

struct ir *ir_const(long long value, int type);
int ir_is_const(const struct ir *x);
/* The value of a binary operation; division by zero is 0. */
long long ir_apply(enum op op, long long a, long long b);

#endif
