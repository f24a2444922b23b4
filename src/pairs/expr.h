/* Constraints as expression trees over the parameters of a model. A boolean tree is made of AND,
 * OR, NOT over atoms; an atom is "parameter in a set of its values", a comparison of two
 * parameters as text, or a comparison of two arithmetic trees. A node owns its children. */
#ifndef PAIRS_EXPR_H
#define PAIRS_EXPR_H

#include <stddef.h>
#include <stdint.h>

struct pairs_model;

enum expr_kind {
    EXPR_TRUE,
    EXPR_AND,
    EXPR_OR,
    EXPR_NOT,
    EXPR_IN,      /* param, set: one byte per value */
    EXPR_TEXT,    /* param op other, compared as text */
    EXPR_NUMBERS, /* left op right, compared as numbers */
    EXPR_PARAM,   /* numeric value of param */
    EXPR_CONST,   /* number */
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_MOD,
};

enum expr_op { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE };

struct pairs_expr {
    enum expr_kind kind;
    enum expr_op op;
    int param, other;
    double number;
    unsigned char *set;
    struct pairs_expr *left, *right;
};

struct pairs_expr *expr_new(enum expr_kind kind, struct pairs_expr *left, struct pairs_expr *right);
struct pairs_expr *expr_copy(const struct pairs_expr *e, const struct pairs_model *m);
void expr_free(struct pairs_expr *e);

/* Truth of e when row[p] is the index of p's value, or negative if p has none yet:
 * 0 false, 1 true, 2 it depends. Arithmetic on open parameters uses intervals. */
int expr_truth(const struct pairs_expr *e, const struct pairs_model *m, const int16_t *row);

/* Marks the parameters that e mentions in used[] (one byte per parameter). */
void expr_params(const struct pairs_expr *e, unsigned char *used);

/* Text comparison as the model asks for it (with or without regard to case). */
int expr_text_compare(const struct pairs_model *m, const char *a, const char *b);
int expr_compare(enum expr_op op, double a, double b);

#endif
