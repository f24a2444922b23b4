/* A tree-walking interpreter over model/ir.h. It is what small models run on and the check for the
 * compiled one (model/gen.c). */
#include "model/eval.h"

void eval_fault(struct run *r, enum fault_kind kind, int line, int col, long long value,
                const char *text)
{
    if (r->fault.kind == FAULT_NONE)
        r->fault = (struct fault){kind, line, col, -1, value, text};
}

static int place_off(struct run *r, const struct model_place *p, const uint8_t *state)
{
    int off = p->off;
    for (int i = 0; i < p->count; i++) {
        const struct place_index *x = &p->index[i];
        long long v = eval(r, x->index, state);
        if (v < 0 || v >= x->count) {
            eval_fault(r, FAULT_INDEX, x->index->line, x->index->col, v, NULL);
            return -1;
        }
        off += (int)v * x->stride;
    }
    return off;
}

long long ir_apply(enum op op, long long a, long long b)
{
    switch (op) {
    case OP_OR:
        return a || b;
    case OP_AND:
        return a && b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return b ? a / b : 0;
    case OP_MOD:
        return b ? a % b : 0;
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    default:
        return 0;
    }
}

static long long binary(struct run *r, const struct ir *x, const uint8_t *state)
{
    long long a = eval(r, x->x, state);
    if (x->op == OP_AND)
        return a && eval(r, x->y, state);
    if (x->op == OP_OR)
        return a || eval(r, x->y, state);
    long long b = eval(r, x->y, state);
    if (b == 0 && (x->op == OP_DIV || x->op == OP_MOD))
        eval_fault(r, FAULT_DIVISION, x->line, x->col, 0, NULL);
    return ir_apply(x->op, a, b);
}

long long eval(struct run *r, const struct ir *x, const uint8_t *state)
{
    switch (x->kind) {
    case IR_CONST:
        return x->num;
    case IR_REG:
        return r->regs[x->num];
    case IR_AT:
        return state[r->s->procs[x->proc].loc_off] == x->num;
    case IR_UN:
        return !eval(r, x->x, state);
    case IR_COND:
        return eval(r, eval(r, x->x, state) ? x->y : x->z, state);
    case IR_BIN:
        return binary(r, x, state);
    case IR_LOAD:
        break;
    }
    int off = place_off(r, x->place, state);
    return off < 0 ? x->place->lo : x->place->lo + (long long)sys_get(state + off, x->place->width);
}

void eval_store(struct run *r, const struct model_place *p, uint8_t *state, long long value, int line,
                int col)
{
    int off = place_off(r, p, state);
    if (off < 0)
        return;
    if (value < p->lo || value > p->hi)
        eval_fault(r, FAULT_RANGE, line, col, value, NULL);
    else
        sys_put(state + off, p->width, (uint32_t)(value - p->lo));
}

static void statement(struct run *r, const struct is *s, uint8_t *state)
{
    switch (s->kind) {
    case IS_ASSIGN:
        eval_store(r, s->place, state, eval(r, s->value, state), s->line, s->col);
        return;
    case IS_IF:
        eval_block(r, eval(r, s->value, state) ? &s->body : &s->other, state);
        return;
    case IS_FOR: {
        long long to = eval(r, s->to, state);
        for (long long v = eval(r, s->value, state); v <= to && !r->fault.kind; v++) {
            r->regs[s->reg] = v;
            eval_block(r, &s->body, state);
        }
        return;
    }
    case IS_ASSERT:
        if (!eval(r, s->value, state))
            eval_fault(r, FAULT_ASSERT, s->line, s->col, 0, s->text);
        return;
    }
}

void eval_block(struct run *r, const is_list *l, uint8_t *state)
{
    for (size_t i = 0; i < l->count && !r->fault.kind; i++)
        statement(r, l->items[i], state);
}

int eval_port(struct run *r, const struct trans *t, const uint8_t *state)
{
    int port = t->port_base;
    for (int i = 0; i < t->nindex; i++) {
        const struct place_index *x = &t->port_index[i];
        long long v = eval(r, x->index, state);
        if (v < 0 || v >= x->count) {
            eval_fault(r, FAULT_INDEX, x->index->line, x->index->col, v, NULL);
            return -1;
        }
        port += (int)v * x->stride;
    }
    return port;
}
