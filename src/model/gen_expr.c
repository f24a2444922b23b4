/* C text from model/ir.h. Range and index checks are written only where the intervals computed by
 * the lowering cannot rule the fault out. */
#include "model/gen_expr.h"

static void index_sum(struct sbuf *b, const struct sys *s, const struct place_index *x, int count,
                      const char *state)
{
    for (int i = 0; i < count; i++) {
        int safe = x[i].index->lo >= 0 && x[i].index->hi < x[i].count;
        sbuf_puts(b, safe ? " + (" : " + CHECKED((");
        gen_expr(b, s, x[i].index, state);
        if (!safe)
            sbuf_printf(b, "), %d", x[i].count);
        sbuf_printf(b, ") * %d", x[i].stride);
    }
}

static void load(struct sbuf *b, const struct sys *s, const struct model_place *p, const char *state)
{
    static const char *const get[] = {"", "GET1", "GET2", "", "GET4"};
    sbuf_printf(b, "(%s(%s + %d", get[p->width], state, p->off);
    index_sum(b, s, p->index, p->count, state);
    if (p->lo)
        sbuf_printf(b, ") + (%lldLL))", p->lo);
    else
        sbuf_puts(b, "))");
}

static void binary(struct sbuf *b, const struct sys *s, const struct ir *x, const char *state)
{
    static const char *const marks[] = {
        [OP_OR] = "||", [OP_AND] = "&&", [OP_EQ] = "==", [OP_NE] = "!=", [OP_LT] = "<",
        [OP_LE] = "<=", [OP_GT] = ">",   [OP_GE] = ">=", [OP_ADD] = "+", [OP_SUB] = "-",
        [OP_MUL] = "*", [OP_DIV] = "/",  [OP_MOD] = "%"};
    int call = x->op == OP_MIN || x->op == OP_MAX;
    int divide = (x->op == OP_DIV || x->op == OP_MOD) && x->y->lo <= 0 && x->y->hi >= 0;
    sbuf_puts(b, call ? (x->op == OP_MIN ? "MIN(" : "MAX(") : "(");
    gen_expr(b, s, x->x, state);
    sbuf_printf(b, call ? ", " : " %s ", call ? "" : marks[x->op]);
    sbuf_puts(b, divide ? "NONZERO(" : "");
    gen_expr(b, s, x->y, state);
    sbuf_puts(b, divide ? "))" : ")");
}

void gen_expr(struct sbuf *b, const struct sys *s, const struct ir *x, const char *state)
{
    switch (x->kind) {
    case IR_CONST:
        sbuf_printf(b, "%lldLL", x->num);
        return;
    case IR_REG:
        sbuf_printf(b, "r%lld", x->num);
        return;
    case IR_AT:
        sbuf_printf(b, "(%s[%d] == %lld)", state, s->procs[x->proc].loc_off, x->num);
        return;
    case IR_LOAD:
        load(b, s, x->place, state);
        return;
    case IR_BIN:
        binary(b, s, x, state);
        return;
    case IR_UN:
        sbuf_puts(b, "!");
        gen_expr(b, s, x->x, state);
        return;
    case IR_COND:
        sbuf_puts(b, "(");
        gen_expr(b, s, x->x, state);
        sbuf_puts(b, " ? ");
        gen_expr(b, s, x->y, state);
        sbuf_puts(b, " : ");
        gen_expr(b, s, x->z, state);
        sbuf_puts(b, ")");
        return;
    }
}

void gen_store(struct sbuf *b, const struct sys *s, const struct model_place *p, const char *state,
               const char *value, long long lo, long long hi)
{
    int safe = lo >= p->lo && hi <= p->hi;
    sbuf_printf(b, "{ i64 v_ = %s; ", value);
    if (!safe)
        sbuf_printf(b, "if (v_ < %lldLL || v_ > %lldLL) goto fault; ", p->lo, p->hi);
    sbuf_printf(b, "PUT%d(%s + %d", p->width, state, p->off);
    index_sum(b, s, p->index, p->count, state);
    sbuf_printf(b, ", v_ - (%lldLL)); }\n", p->lo);
}

static void statement(struct sbuf *b, const struct sys *s, const struct is *t, const char *state)
{
    struct sbuf value = {0};
    gen_expr(&value, s, t->value, state);
    if (t->kind == IS_ASSIGN) {
        gen_store(b, s, t->place, state, sbuf_str(&value), t->value->lo, t->value->hi);
    } else if (t->kind == IS_ASSERT) {
        sbuf_printf(b, "if (!%s) goto fault;\n", sbuf_str(&value));
    } else if (t->kind == IS_IF) {
        sbuf_printf(b, "if (%s) {\n", sbuf_str(&value));
        gen_block(b, s, &t->body, state);
        sbuf_puts(b, "} else {\n");
        gen_block(b, s, &t->other, state);
        sbuf_puts(b, "}\n");
    } else {
        sbuf_puts(b, "{ i64 to_ = ");
        gen_expr(b, s, t->to, state);
        sbuf_printf(b, "; for (i64 r%d = %s; r%d <= to_; r%d++) {\n", t->reg, sbuf_str(&value),
                    t->reg, t->reg);
        gen_block(b, s, &t->body, state);
        sbuf_puts(b, "} }\n");
    }
    sbuf_free(&value);
}

void gen_block(struct sbuf *b, const struct sys *s, const is_list *l, const char *state)
{
    for (size_t i = 0; i < l->count; i++)
        statement(b, s, l->items[i], state);
}

void gen_port(struct sbuf *b, const struct sys *s, const struct trans *t, const char *state)
{
    sbuf_printf(b, "%d", t->port_base);
    index_sum(b, s, t->port_index, t->nindex, state);
}
