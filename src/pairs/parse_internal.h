/* The inside of the constraint reader: atoms (parse_atom.c) and what is made of them
 * (parse_expr.c). */
#ifndef PAIRS_PARSE_INTERNAL_H
#define PAIRS_PARSE_INTERNAL_H

#include "pairs/parse.h"

#define PARSE_MAX_DEPTH 200

struct reader {
    struct pairs_model *m;
    const struct pairs_source *s;
    size_t at;
    struct error *e;
    int depth;
    int unknown; /* the error is a [name] that no parameter has */
};

/* A side of a relation: a number tree, or a text constant. */
struct side {
    struct pairs_expr *tree; /* NULL if this is a text constant */
    char *text;
    size_t at;
};

/* The text after whitespace and comment lines; the reader moves there. */
const char *parse_here(struct reader *r);
/* Takes a token if it comes next: a sign, or a whole word in any case. */
int parse_take(struct reader *r, const char *token);
/* Fills the reader's error; returns NULL. */
struct pairs_expr *parse_fail(struct reader *r, size_t at, const char *message);

/* A relation, IN, LIKE, IsNegative, IsPositive, or a boolean parameter alone. */
struct pairs_expr *parse_atom(struct reader *r);
/* A value: "text", a number, or a bare word. 0 or -1. */
int parse_constant(struct reader *r, struct side *c);
void parse_free_side(struct side *side);
/* The set of the parameter's values that satisfy "value op c". */
struct pairs_expr *parse_constant_relation(struct reader *r, int param, enum expr_op op,
                                     const struct side *c);

#endif
