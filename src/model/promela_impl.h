/* Between promela.c and promela_expr.c. */
#ifndef MODEL_PROMELA_IMPL_H
#define MODEL_PROMELA_IMPL_H

#include "base/sbuf.h"
#include "model/promela.h"

enum { PROMELA_POOL_MAX = 256 };

struct promela {
    const struct sys *s;
    struct sbuf *b;
    struct error *e;
    int failed;
    const struct trans *t; /* the one being written */
};

void promela_fail(struct promela *p, const char *why);
const char *promela_type(int type, long long lo, long long hi);
void promela_variables(struct promela *p, int proc);
void promela_place(struct promela *p, const struct model_place *pl);
void promela_expr(struct promela *p, const struct ir *x);
void promela_block(struct promela *p, const is_list *l);

#endif
