/* Expressions: names are resolved, types checked, constants folded, quantifiers unrolled, and an
 * interval computed for every value, so that range checks that cannot fail cost nothing. */
#include "model/lower.h"

#include <stdlib.h>
#include <string.h>

enum { UNROLL_MAX = 4096 };

static struct ir *new_ir(enum ir_kind kind, int type)
{
    struct ir *x = mem_alloc(sizeof *x);
    x->kind = kind;
    x->type = type;
    if (type == TYPE_BOOL)
        x->hi = 1;
    return x;
}

struct ir *ir_const(long long value, int type)
{
    struct ir *x = new_ir(IR_CONST, type);
    x->num = x->lo = x->hi = value;
    return x;
}

int ir_is_const(const struct ir *x)
{
    return x->kind == IR_CONST;
}

const char *lower_type_name(struct lower *l, int type)
{
    return type == TYPE_INT ? "a number" : type == TYPE_BOOL ? "a bool" : l->s->enums[type].name;
}

const struct scope_entry *lower_find(struct lower *l, const char *name)
{
    for (size_t i = l->scope.count; i-- > 0;)
        if (!strcmp(l->scope.items[i].name, name))
            return &l->scope.items[i];
    return NULL;
}

static void want(struct lower *l, const struct ir *v, int type, const struct ex *at)
{
    if (v->type != type)
        lower_fail(l, at->line, at->col, "expected %s here, this is %s", lower_type_name(l, type),
                   lower_type_name(l, v->type));
}

struct ir *lower_bool(struct lower *l, const struct ex *x, const char *what)
{
    struct ir *v = lower_expr(l, x);
    if (v->type != TYPE_BOOL)
        lower_fail(l, x->line, x->col, "%s must be a bool, this is %s", what,
                   lower_type_name(l, v->type));
    return v;
}

long long lower_const(struct lower *l, const struct ex *x, const char *what)
{
    struct ir *v = lower_expr(l, x);
    if (!ir_is_const(v))
        lower_fail(l, x->line, x->col, "%s must be a constant", what);
    if (v->type == TYPE_BOOL)
        lower_fail(l, x->line, x->col, "%s must be a number", what);
    return v->num;
}

void lower_fits(struct lower *l, const struct ir *v, int type, long long lo, long long hi,
                const char *what)
{
    if (v->type != type)
        lower_fail(l, v->line, v->col, "%s is %s, this value is %s", what, lower_type_name(l, type),
                   lower_type_name(l, v->type));
    if (v->hi < lo || v->lo > hi)
        lower_fail(l, v->line, v->col, "%s is in %lld..%lld, this value never is", what, lo, hi);
}

/* The interval of an arithmetic operation from the corners of its operands' intervals. */
static void interval(struct ir *r)
{
    const struct ir *x = r->x, *y = r->y;
    if (r->op == OP_DIV || r->op == OP_MOD) {
        long long m = llabs(x->lo) > llabs(x->hi) ? llabs(x->lo) : llabs(x->hi);
        if (r->op == OP_MOD) {
            long long n = llabs(y->lo) > llabs(y->hi) ? llabs(y->lo) : llabs(y->hi);
            m = n > 0 && n - 1 < m ? n - 1 : m;
        }
        r->lo = x->lo < 0 || (r->op == OP_DIV && y->lo < 0) ? -m : 0;
        r->hi = m;
        return;
    }
    long long c[4] = {ir_apply(r->op, x->lo, y->lo), ir_apply(r->op, x->lo, y->hi),
                      ir_apply(r->op, x->hi, y->lo), ir_apply(r->op, x->hi, y->hi)};
    r->lo = r->hi = c[0];
    for (int i = 1; i < 4; i++) {
        r->lo = c[i] < r->lo ? c[i] : r->lo;
        r->hi = c[i] > r->hi ? c[i] : r->hi;
    }
}

/* A comparison that the intervals decide: 0 or 1; else -1. */
static int decided(enum op op, const struct ir *x, const struct ir *y)
{
    int below = x->hi<y->lo, above = x->lo> y->hi;
    switch (op) {
    case OP_EQ:
        return below || above ? 0 : -1;
    case OP_NE:
        return below || above ? 1 : -1;
    case OP_LT:
        return below ? 1 : x->lo >= y->hi ? 0 : -1;
    case OP_GE:
        return below ? 0 : x->lo >= y->hi ? 1 : -1;
    case OP_GT:
        return above ? 1 : x->hi <= y->lo ? 0 : -1;
    case OP_LE:
        return above ? 0 : x->hi <= y->lo ? 1 : -1;
    default:
        return -1;
    }
}

static struct ir *make_binary(struct lower *l, enum op op, struct ir *x, struct ir *y,
                              const struct ex *at)
{
    int arithmetic = (op >= OP_ADD && op <= OP_MOD) || op == OP_MIN || op == OP_MAX;
    if ((op == OP_DIV || op == OP_MOD) && y->lo == 0 && y->hi == 0)
        lower_fail(l, at->line, at->col, "division by zero");
    if (ir_is_const(x) && ir_is_const(y))
        return ir_const(ir_apply(op, x->num, y->num), arithmetic ? TYPE_INT : TYPE_BOOL);
    if ((op == OP_AND || op == OP_OR) && (ir_is_const(x) || ir_is_const(y))) {
        const struct ir *c = ir_is_const(x) ? x : y;
        struct ir *other = ir_is_const(x) ? y : x;
        return c->num == (op == OP_OR) ? ir_const(op == OP_OR, TYPE_BOOL) : other;
    }
    if (decided(op, x, y) >= 0)
        return ir_const(decided(op, x, y), TYPE_BOOL);
    struct ir *r = new_ir(IR_BIN, arithmetic ? TYPE_INT : TYPE_BOOL);
    r->op = op;
    r->x = x;
    r->y = y;
    if (arithmetic)
        interval(r);
    if (r->lo < -(1LL << 40) || r->hi > (1LL << 40))
        lower_fail(l, at->line, at->col, "this value may become too large to compute with");
    return r;
}

static struct ir *binary(struct lower *l, const struct ex *x)
{
    struct ir *a = lower_expr(l, x->x), *b = lower_expr(l, x->y);
    if (x->kind == EX_BIN && x->op <= OP_AND) {
        want(l, a, TYPE_BOOL, x->x);
        want(l, b, TYPE_BOOL, x->y);
    } else if (x->kind == EX_BIN && (x->op == OP_EQ || x->op == OP_NE)) {
        want(l, b, a->type, x->y);
    } else {
        want(l, a, TYPE_INT, x->x);
        want(l, b, TYPE_INT, x->y);
    }
    return make_binary(l, x->op, a, b, x);
}

static struct ir *unary(struct lower *l, const struct ex *x)
{
    struct ir *a = lower_expr(l, x->x);
    want(l, a, x->op == OP_NOT ? TYPE_BOOL : TYPE_INT, x->x);
    if (x->op == OP_NEG)
        return make_binary(l, OP_SUB, ir_const(0, TYPE_INT), a, x);
    if (x->op == OP_ABS) {
        struct ir *minus = make_binary(l, OP_SUB, ir_const(0, TYPE_INT), a, x);
        return make_binary(l, OP_MAX, a, minus, x);
    }
    if (ir_is_const(a))
        return ir_const(!a->num, TYPE_BOOL);
    struct ir *r = new_ir(IR_UN, TYPE_BOOL);
    r->op = OP_NOT;
    r->x = a;
    return r;
}

static struct ir *conditional(struct lower *l, const struct ex *x)
{
    struct ir *c = lower_bool(l, x->x, "the condition of '?'");
    struct ir *a = lower_expr(l, x->y), *b = lower_expr(l, x->z);
    want(l, b, a->type, x->z);
    if (ir_is_const(c))
        return c->num ? a : b;
    struct ir *r = new_ir(IR_COND, a->type);
    r->x = c;
    r->y = a;
    r->z = b;
    r->lo = a->lo < b->lo ? a->lo : b->lo;
    r->hi = a->hi > b->hi ? a->hi : b->hi;
    return r;
}

/* forall, exists, sum: one copy of the body per value. */
static struct ir *quantifier(struct lower *l, const struct ex *x)
{
    long long lo = lower_const(l, x->x, "a bound"), hi = lower_const(l, x->y, "a bound");
    if (hi - lo >= UNROLL_MAX)
        lower_fail(l, x->line, x->col, "more than %d values to go through", UNROLL_MAX);
    enum op join = x->op == OP_FORALL ? OP_AND : x->op == OP_EXISTS ? OP_OR : OP_ADD;
    int type = join == OP_ADD ? TYPE_INT : TYPE_BOOL;
    struct ir *all = ir_const(join == OP_AND, type);
    for (long long v = lo; v <= hi; v++) {
        struct scope_entry entry = {.name = x->name, .value = v, .type = TYPE_INT};
        vec_push(&l->scope, entry);
        struct ir *one = lower_expr(l, x->z);
        l->scope.count--;
        if (join == OP_ADD && one->type == TYPE_BOOL) {
            one = memcpy(mem_alloc(sizeof *one), one, sizeof *one);
            one->type = TYPE_INT;
        }
        want(l, one, type, x->z);
        all = make_binary(l, join, all, one, x);
    }
    return all;
}

static const struct group *find_group(struct lower *l, const char *name)
{
    for (int i = 0; i < l->s->ngroups; i++)
        if (!strcmp(l->s->groups[i].name, name))
            return &l->s->groups[i];
    return NULL;
}

/* The process that "P" or "P[i]" names in an invariant, or -1 if x is not of this form. */
static int named_process(struct lower *l, const struct ex *x)
{
    const struct ex *base = x->kind == EX_INDEX ? x->x : x;
    if (l->proc >= 0 || base->kind != EX_NAME)
        return -1;
    const struct group *g = find_group(l, base->name);
    if (!g)
        return -1;
    long long i = x->kind == EX_INDEX ? lower_const(l, x->y, "the index of a process") : 0;
    if ((x->kind == EX_INDEX) != g->is_array)
        lower_fail(l, x->line, x->col,
                   g->is_array ? "%s is an array: which one of it?"
                               : "%s is one process, not an array",
                   g->name);
    if (i < 0 || i >= g->count)
        lower_fail(l, x->line, x->col, "there is no %s[%lld]: it has %d instances", g->name, i,
                   g->count);
    return g->first + (int)i;
}

static struct ir *at_state(struct lower *l, const struct ex *x)
{
    int p = named_process(l, x->x);
    if (p < 0)
        lower_fail(l, x->line, x->col, "'@' follows a process, in an invariant");
    const struct proc *proc = &l->s->procs[p];
    for (int i = 0; i < proc->nlocs; i++)
        if (!strcmp(proc->locs[i], x->name)) {
            struct ir *r = new_ir(IR_AT, TYPE_BOOL);
            r->proc = p;
            r->num = i;
            return r;
        }
    lower_fail(l, x->line, x->col, "%s has no state '%s'", proc->name, x->name);
}

struct lower_walk { /* the variable an expression names, as far as it was followed */
    struct rtype *type;
    struct model_place place;
};

static struct lower_walk start_at(struct lower *l, const struct scope_entry *v)
{
    return (struct lower_walk){v->rtype, {.off = v->off, .proc = v->proc}};
}

static struct lower_walk follow(struct lower *l, const struct ex *x);

static struct lower_walk follow_index(struct lower *l, const struct ex *x)
{
    struct lower_walk w = follow(l, x->x);
    if (w.type->kind != RT_ARRAY)
        lower_fail(l, x->line, x->col, "this is not an array");
    struct ir *i = lower_expr(l, x->y);
    want(l, i, TYPE_INT, x->y);
    if (i->lo >= w.type->count || i->hi < 0)
        lower_fail(l, x->line, x->col, "the index is outside of 0..%d", w.type->count - 1);
    if (ir_is_const(i)) {
        w.place.off += (int)i->num * w.type->elem->size;
    } else {
        if (w.place.count == 4)
            lower_fail(l, x->line, x->col, "more than 4 variable indices");
        w.place.index[w.place.count++] = (struct place_index){i, w.type->elem->size, w.type->count};
    }
    w.type = w.type->elem;
    return w;
}

static struct lower_walk follow(struct lower *l, const struct ex *x)
{
    if (x->kind == EX_INDEX)
        return follow_index(l, x);
    if (x->kind == EX_FIELD) {
        int p = named_process(l, x->x);
        if (p >= 0) {
            for (int i = 0; i < l->vars[p].count; i++)
                if (!strcmp(l->vars[p].entries[i].name, x->name))
                    return start_at(l, &l->vars[p].entries[i]);
            lower_fail(l, x->line, x->col, "%s has no variable '%s'", l->s->procs[p].name, x->name);
        }
        struct lower_walk w = follow(l, x->x);
        for (int i = 0; w.type->kind == RT_RECORD && i < w.type->nfields; i++)
            if (!strcmp(w.type->names[i], x->name)) {
                w.place.off += w.type->offs[i];
                w.type = w.type->fields[i];
                return w;
            }
        lower_fail(l, x->line, x->col, "there is no field '%s' here", x->name);
    }
    if (x->kind != EX_NAME)
        lower_fail(l, x->line, x->col, "this is not a variable");
    const struct scope_entry *v = lower_find(l, x->name);
    if (!v)
        lower_fail(l, x->line, x->col, "unknown name '%s'", x->name);
    if (v->kind != SCOPE_VAR)
        lower_fail(l, x->line, x->col, "'%s' is not a variable", x->name);
    return start_at(l, v);
}

struct model_place *lower_place(struct lower *l, const struct ex *x)
{
    struct lower_walk w = follow(l, x);
    if (w.type->kind != RT_SCALAR)
        lower_fail(l, x->line, x->col, "this is a whole %s: use its parts one by one",
                   w.type->kind == RT_ARRAY ? "array" : "record");
    struct model_place *p = mem_alloc(sizeof *p);
    *p = w.place;
    p->width = w.type->width;
    p->type = w.type->type;
    p->lo = w.type->lo;
    p->hi = w.type->hi;
    return p;
}

static struct ir *load(struct lower *l, const struct ex *x)
{
    struct ir *r = new_ir(IR_LOAD, 0);
    r->place = lower_place(l, x);
    r->type = r->place->type;
    r->lo = r->place->lo;
    r->hi = r->place->hi;
    return r;
}

static struct ir *list_element(struct lower *l, const struct ex *x, const struct scope_entry *v)
{
    struct ir *i = lower_expr(l, x->y);
    want(l, i, TYPE_INT, x->y);
    if (i->lo < 0 || i->hi >= v->count)
        lower_fail(l, x->line, x->col, "the index must stay within 0..%d", v->count - 1);
    struct ir *r = ir_const(v->values[i->lo], TYPE_INT);
    for (long long k = i->lo + 1; k <= i->hi; k++) {
        struct ir *c = new_ir(IR_COND, TYPE_INT);
        c->x = make_binary(l, OP_EQ, i, ir_const(k, TYPE_INT), x);
        c->y = ir_const(v->values[k], TYPE_INT);
        c->z = r;
        c->lo = c->y->num < r->lo ? c->y->num : r->lo;
        c->hi = c->y->num > r->hi ? c->y->num : r->hi;
        r = c;
    }
    return r;
}

static struct ir *name(struct lower *l, const struct ex *x)
{
    const struct scope_entry *v = lower_find(l, x->name);
    if (!v)
        lower_fail(l, x->line, x->col, "unknown name '%s'", x->name);
    if (v->kind == SCOPE_CONST)
        return ir_const(v->value, v->type);
    if (v->kind == SCOPE_LIST)
        lower_fail(l, x->line, x->col, "'%s' is a list: which element?", x->name);
    if (v->kind == SCOPE_VAR)
        return load(l, x);
    struct ir *r = new_ir(IR_REG, v->type);
    r->num = v->value;
    r->lo = v->lo;
    r->hi = v->hi;
    return r;
}

static struct ir *lower_node(struct lower *l, const struct ex *x)
{
    switch (x->kind) {
    case EX_NUM:
        return ir_const(x->num, TYPE_INT);
    case EX_BOOL:
        return ir_const(x->num, TYPE_BOOL);
    case EX_NAME:
        return name(l, x);
    case EX_AT:
        return at_state(l, x);
    case EX_UN:
        return unary(l, x);
    case EX_BIN:
        return binary(l, x);
    case EX_CALL:
        return x->op == OP_ABS ? unary(l, x) : binary(l, x);
    case EX_COND:
        return conditional(l, x);
    case EX_QUANT:
        return quantifier(l, x);
    case EX_FIELD:
        return load(l, x);
    case EX_INDEX: {
        const struct scope_entry *v = x->x->kind == EX_NAME ? lower_find(l, x->x->name) : NULL;
        return v && v->kind == SCOPE_LIST ? list_element(l, x, v) : load(l, x);
    }
    case EX_ANY:
    case EX_MATCH:
        break;
    }
    lower_fail(l, x->line, x->col, "this has no value here");
}

struct ir *lower_expr(struct lower *l, const struct ex *x)
{
    struct ir *r = lower_node(l, x);
    if (!r->line) {
        r->line = x->line;
        r->col = x->col;
    }
    return r;
}
