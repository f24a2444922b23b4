/* Expressions and computation blocks as C text, for gen.c. */
#ifndef MODEL_GEN_EXPR_H
#define MODEL_GEN_EXPR_H

#include "base/sbuf.h"
#include "model/sys.h"

/* `state` is the name of the pointer to the state's bytes. A fault is "goto fault". */
void gen_expr(struct sbuf *b, const struct sys *s, const struct ir *x, const char *state);
void gen_block(struct sbuf *b, const struct sys *s, const is_list *l, const char *state);
/* Stores the C expression `value` (within lo … hi) into a place. */
void gen_store(struct sbuf *b, const struct sys *s, const struct model_place *p, const char *state,
               const char *value, long long lo, long long hi);
void gen_port(struct sbuf *b, const struct sys *s, const struct trans *t, const char *state);

#endif
