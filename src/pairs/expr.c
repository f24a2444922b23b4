/* Expression trees: building, copying, and three-valued evaluation on rows that are not complete.
 * An arithmetic tree evaluates to an interval; a comparison of intervals is decided only if all of
 * one lies on the same side of the other. A tree whose value is undefined (division by zero) makes
 * its comparison false. The checker does not use this evaluation: it has its own (check_eval.c). */
#include "pairs/expr.h"

#include "pairs/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct pairs_expr *expr_new(enum expr_kind kind, struct pairs_expr *left, struct pairs_expr *right)
{
    struct pairs_expr *e = mem_alloc(sizeof *e);
    e->kind = kind;
    e->left = left;
    e->right = right;
    return e;
}

struct pairs_expr *expr_copy(const struct pairs_expr *e, const struct pairs_model *m)
{
    if (!e)
        return NULL;
    struct pairs_expr *c = expr_new(e->kind, expr_copy(e->left, m), expr_copy(e->right, m));
    c->op = e->op;
    c->param = e->param;
    c->other = e->other;
    c->number = e->number;
    if (e->set) {
        size_t n = (size_t)m->params.items[e->param].count;
        c->set = mem_alloc(n);
        memcpy(c->set, e->set, n);
    }
    return c;
}

void expr_free(struct pairs_expr *e)
{
    if (!e)
        return;
    expr_free(e->left);
    expr_free(e->right);
    free(e->set);
    free(e);
}

void expr_params(const struct pairs_expr *e, unsigned char *used)
{
    if (!e)
        return;
    if (e->kind == EXPR_IN || e->kind == EXPR_PARAM || e->kind == EXPR_TEXT)
        used[e->param] = 1;
    if (e->kind == EXPR_TEXT)
        used[e->other] = 1;
    expr_params(e->left, used);
    expr_params(e->right, used);
}

int expr_text_compare(const struct pairs_model *m, const char *a, const char *b)
{
    return m->case_sensitive ? strcmp(a, b) : strcasecmp(a, b);
}

int expr_compare(enum expr_op op, double a, double b)
{
    switch (op) {
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b && !isnan(a) && !isnan(b);
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    }
    return 0;
}

struct interval {
    double low, high;
    int open; /* nothing is known */
};

static struct interval of_param(const struct pairs_model *m, int param, const int16_t *row)
{
    const struct pairs_param *p = &m->params.items[param];
    if (row[param] >= 0)
        return (struct interval){p->values[row[param]].number, p->values[row[param]].number, 0};
    struct interval i = {p->values[0].number, p->values[0].number, 0};
    for (int v = 1; v < p->count; v++) {
        i.low = fmin(i.low, p->values[v].number);
        i.high = fmax(i.high, p->values[v].number);
    }
    return i;
}

static struct interval product(struct interval a, struct interval b)
{
    double c[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    struct interval r = {c[0], c[0], 0};
    for (int i = 1; i < 4; i++) {
        r.low = fmin(r.low, c[i]);
        r.high = fmax(r.high, c[i]);
    }
    return r;
}

static int is_point(struct interval i)
{
    return !i.open && (i.low == i.high || isnan(i.low));
}

static struct interval point(double x)
{
    return (struct interval){x, x, 0};
}

static struct interval arithmetic(const struct pairs_expr *e, const struct pairs_model *m,
                                  const int16_t *row)
{
    const struct interval unknown = {0, 0, 1};
    if (e->kind == EXPR_CONST)
        return point(e->number);
    if (e->kind == EXPR_PARAM)
        return of_param(m, e->param, row);
    struct interval a = arithmetic(e->left, m, row), b = arithmetic(e->right, m, row);
    if (a.open || b.open)
        return unknown;
    if (is_point(a) && is_point(b)) {
        double x = a.low, y = b.low;
        switch (e->kind) {
        case EXPR_ADD:
            return point(x + y);
        case EXPR_SUB:
            return point(x - y);
        case EXPR_MUL:
            return point(x * y);
        case EXPR_DIV:
            return point(y == 0 ? NAN : x / y);
        default:
            return point(y == 0 ? NAN : fmod(x, y));
        }
    }
    if (isnan(a.low) || isnan(b.low))
        return point(NAN);
    if (e->kind == EXPR_ADD)
        return (struct interval){a.low + b.low, a.high + b.high, 0};
    if (e->kind == EXPR_SUB)
        return (struct interval){a.low - b.high, a.high - b.low, 0};
    return e->kind == EXPR_MUL ? product(a, b) : unknown;
}

static int numbers_truth(const struct pairs_expr *e, const struct pairs_model *m, const int16_t *row)
{
    struct interval a = arithmetic(e->left, m, row), b = arithmetic(e->right, m, row);
    if (a.open || b.open)
        return 2;
    if (is_point(a) && is_point(b))
        return expr_compare(e->op, a.low, b.low);
    if (isnan(a.low) || isnan(b.low))
        return 0;
    if (e->op == OP_EQ || e->op == OP_NE)
        return a.high < b.low || b.high < a.low ? e->op == OP_NE : 2;
    int at_low = expr_compare(e->op, a.low, b.high), at_high = expr_compare(e->op, a.high, b.low);
    return at_low == at_high ? at_low : 2;
}

static int in_truth(const struct pairs_expr *e, const struct pairs_model *m, const int16_t *row)
{
    if (row[e->param] >= 0)
        return e->set[row[e->param]];
    int n = m->params.items[e->param].count, members = 0;
    for (int v = 0; v < n; v++)
        members += e->set[v];
    return members == n ? 1 : members == 0 ? 0 : 2;
}

static int text_truth(const struct pairs_expr *e, const struct pairs_model *m, const int16_t *row)
{
    if (row[e->param] < 0 || row[e->other] < 0)
        return 2;
    int c = expr_text_compare(m, m->params.items[e->param].values[row[e->param]].name,
                              m->params.items[e->other].values[row[e->other]].name);
    return expr_compare(e->op, c, 0);
}

int expr_truth(const struct pairs_expr *e, const struct pairs_model *m, const int16_t *row)
{
    int a, b;
    switch (e->kind) {
    case EXPR_TRUE:
        return 1;
    case EXPR_NOT:
        a = expr_truth(e->left, m, row);
        return a == 2 ? 2 : !a;
    case EXPR_AND:
        a = expr_truth(e->left, m, row);
        if (a == 0)
            return 0;
        b = expr_truth(e->right, m, row);
        return b == 0 ? 0 : a == 2 || b == 2 ? 2 : 1;
    case EXPR_OR:
        a = expr_truth(e->left, m, row);
        if (a == 1)
            return 1;
        b = expr_truth(e->right, m, row);
        return b == 1 ? 1 : a == 2 || b == 2 ? 2 : 0;
    case EXPR_IN:
        return in_truth(e, m, row);
    case EXPR_TEXT:
        return text_truth(e, m, row);
    default:
        return numbers_truth(e, m, row);
    }
}
