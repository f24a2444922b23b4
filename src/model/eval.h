/* Runs guards and computation blocks on a state's bytes. A fault (failed assertion, value out of
 * range, …) is remembered in the run; evaluation goes on with harmless values until the caller
 * looks. */
#ifndef MODEL_EVAL_H
#define MODEL_EVAL_H

#include "model/sys.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_ASSERT,
    FAULT_RANGE,
    FAULT_INDEX,
    FAULT_DIVISION,
    FAULT_OVERFLOW,
    FAULT_SIZE
};

struct fault {
    enum fault_kind kind;
    int line, col;
    int port;         /* OVERFLOW */
    long long value;  /* RANGE, INDEX */
    const char *text; /* ASSERT; may be NULL */
};

struct run {
    const struct sys *s;
    struct fault fault;
    long long regs[SYS_REGS];
};

long long eval(struct run *r, const struct ir *x, const uint8_t *state);
void eval_block(struct run *r, const is_list *l, uint8_t *state);
void eval_store(struct run *r, const struct model_place *p, uint8_t *state, long long value, int line,
                int col);
/* The port of a send or receive, -1 if an index is out of bounds (a fault). */
int eval_port(struct run *r, const struct trans *t, const uint8_t *state);

void eval_fault(struct run *r, enum fault_kind kind, int line, int col, long long value,
                const char *text);

#endif
