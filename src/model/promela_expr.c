/* Variables, expressions and computation blocks in Promela. A variable is an array of its scalars
 * when they are of one kind, so that it can be indexed. */
#include "model/promela_impl.h"

#include <string.h>

void promela_fail(struct promela *p, const char *why)
{
    if (!p->failed)
        error_set(p->e, EXIT_USAGE, "this model cannot be written in Promela: %s", why);
    p->failed = 1;
}

const char *promela_type(int type, long long lo, long long hi)
{
    return type == TYPE_BOOL             ? "bool"
           : lo >= 0 && hi <= 255        ? "byte"
           : lo >= -32768 && hi <= 32767 ? "short"
                                         : "int";
}

/* The scalars of the variable that scalar k belongs to: they share the name up to '[' or '.'. */
static int group_start(const struct proc *p, int k)
{
    size_t n = strcspn(p->vars[k].name, "[.");
    while (k > 0 && strcspn(p->vars[k - 1].name, "[.") == n &&
           !strncmp(p->vars[k - 1].name, p->vars[k].name, n))
        k--;
    return k;
}

static int group_count(const struct proc *p, int first)
{
    int n = 1;
    while (first + n < p->nvars && group_start(p, first + n) == first)
        n++;
    return n;
}

static int same_types(const struct proc *p, int first, int n)
{
    for (int i = 1; i < n; i++)
        if (p->vars[first + i].width != p->vars[first].width ||
            p->vars[first + i].type != p->vars[first].type)
            return 0;
    return 1;
}

void promela_variables(struct promela *p, int proc)
{
    const struct proc *q = &p->s->procs[proc];
    for (int k = 0; k < q->nvars; k += group_count(q, k)) {
        int n = group_count(q, k), whole = same_types(q, k, n);
        for (int i = 0; i < (whole ? 1 : n); i++) {
            const struct scalar *v = &q->vars[k + i];
            long long init = v->init < v->lo ? v->lo : v->init > v->hi ? v->hi : v->init;
            sbuf_printf(p->b, "%s v%d_%d", promela_type(v->type, v->lo, v->hi), proc, v->off);
            if (whole && n > 1)
                sbuf_printf(p->b, "[%d]", n);
            sbuf_printf(p->b, init ? " = %lld;" : ";", init);
            sbuf_printf(p->b, " /* %s.%.*s */\n", q->name, (int)strcspn(v->name, "[."), v->name);
        }
    }
}

void promela_place(struct promela *p, const struct model_place *pl)
{
    const struct proc *q = &p->s->procs[pl->proc];
    int k = 0;
    while (k < q->nvars && q->vars[k].off != pl->off)
        k++;
    int first = group_start(q, k), n = group_count(q, first), whole = same_types(q, first, n);
    if (!whole && pl->count) {
        promela_fail(p,
                     "an array of records with fields of different sizes is indexed by a variable");
        return;
    }
    int base = whole ? q->vars[first].off : pl->off;
    sbuf_printf(p->b, "v%d_%d", pl->proc, base);
    if (!whole || n == 1)
        return;
    sbuf_printf(p->b, "[%d", (pl->off - base) / pl->width);
    for (int i = 0; i < pl->count; i++) {
        sbuf_puts(p->b, " + (");
        promela_expr(p, pl->index[i].index);
        sbuf_printf(p->b, ") * %d", pl->index[i].stride / pl->width);
    }
    sbuf_putc(p->b, ']');
}

static void binary(struct promela *p, const struct ir *x)
{
    static const char *const marks[] = {"||", "&&", "==", "!=", "<", "<=", ">",
                                        ">=", "+",  "-",  "*",  "/", "%"};
    int choice = x->op == OP_MIN || x->op == OP_MAX;
    sbuf_putc(p->b, '(');
    promela_expr(p, x->x);
    sbuf_printf(p->b, " %s ", choice ? (x->op == OP_MIN ? "<" : ">") : marks[x->op]);
    promela_expr(p, x->y);
    if (choice) {
        sbuf_puts(p->b, " -> ");
        promela_expr(p, x->x);
        sbuf_puts(p->b, " : ");
        promela_expr(p, x->y);
    }
    sbuf_putc(p->b, ')');
}

/* (c -> a : b); of bools by and and or, since an ltl formula knows no other way. */
static void conditional(struct promela *p, const struct ir *x)
{
    int bools = x->type == TYPE_BOOL;
    sbuf_puts(p->b, bools ? "((" : "(");
    promela_expr(p, x->x);
    sbuf_puts(p->b, bools ? " && " : " -> ");
    promela_expr(p, x->y);
    sbuf_puts(p->b, bools ? ") || (!" : " : ");
    if (bools) {
        promela_expr(p, x->x);
        sbuf_puts(p->b, " && ");
    }
    promela_expr(p, x->z);
    sbuf_puts(p->b, bools ? "))" : ")");
}

void promela_expr(struct promela *p, const struct ir *x)
{
    switch (x->kind) {
    case IR_CONST:
        sbuf_printf(p->b, x->num < 0 ? "(%lld)" : "%lld", x->num);
        return;
    case IR_REG:
        sbuf_printf(p->b, "r%lld", x->num);
        return;
    case IR_AT:
        sbuf_printf(p->b, "(P%d@S%lld)", x->proc, x->num);
        return;
    case IR_LOAD:
        promela_place(p, x->place);
        return;
    case IR_BIN:
        binary(p, x);
        return;
    case IR_UN:
        sbuf_puts(p->b, "!(");
        promela_expr(p, x->x);
        sbuf_putc(p->b, ')');
        return;
    case IR_COND:
        conditional(p, x);
        return;
    }
}

static void assignment(struct promela *p, const struct is *s)
{
    if (s->value->lo < s->place->lo || s->value->hi > s->place->hi) {
        sbuf_puts(p->b, " assert((");
        promela_expr(p, s->value);
        sbuf_printf(p->b, ") >= (%lld) && (", s->place->lo);
        promela_expr(p, s->value);
        sbuf_printf(p->b, ") <= %lld);", s->place->hi);
    }
    sbuf_putc(p->b, ' ');
    promela_place(p, s->place);
    sbuf_puts(p->b, " = ");
    promela_expr(p, s->value);
    sbuf_putc(p->b, ';');
}

/* Written out, once per value: SPIN cannot compile several loops in d_steps of one process. */
static void loop(struct promela *p, const struct is *s)
{
    int fixed = ir_is_const(s->value) && ir_is_const(s->to);
    if (s->to->hi - s->value->lo >= PROMELA_POOL_MAX)
        promela_fail(p, "a loop has more than 256 rounds");
    for (long long v = s->value->lo; v <= s->to->hi && !p->failed; v++) {
        sbuf_printf(p->b, " r%d = %lld;", s->reg, v);
        if (!fixed) {
            sbuf_printf(p->b, " if :: (r%d >= ", s->reg);
            promela_expr(p, s->value);
            sbuf_printf(p->b, " && r%d <= ", s->reg);
            promela_expr(p, s->to);
            sbuf_puts(p->b, ") -> skip;");
        }
        promela_block(p, &s->body);
        if (!fixed)
            sbuf_puts(p->b, " :: else -> skip; fi;");
    }
}

static void statement(struct promela *p, const struct is *s)
{
    if (s->kind == IS_ASSIGN) {
        assignment(p, s);
    } else if (s->kind == IS_ASSERT) {
        sbuf_puts(p->b, " assert(");
        promela_expr(p, s->value);
        sbuf_puts(p->b, ");");
    } else if (s->kind == IS_IF) {
        sbuf_puts(p->b, " if :: (");
        promela_expr(p, s->value);
        sbuf_puts(p->b, ") -> skip;");
        promela_block(p, &s->body);
        sbuf_puts(p->b, " :: else -> skip;");
        promela_block(p, &s->other);
        sbuf_puts(p->b, " fi;");
    } else {
        loop(p, s);
    }
}

void promela_block(struct promela *p, const is_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        statement(p, l->items[i]);
}
