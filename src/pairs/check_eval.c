/* The checker's own evaluation of constraints: a value once the parameters it depends on have
 * theirs, otherwise open. No intervals, no compiled form. */
#include "pairs/check.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct pairs_value *value_of(const struct pairs_model *m, int param,
                                          const int16_t *row)
{
    return row[param] < 0 ? NULL : &m->params.items[param].values[row[param]];
}

static int number(const struct pairs_model *m, const struct pairs_expr *e, const int16_t *row, double *x)
{
    double a, b;
    if (e->kind == EXPR_CONST) {
        *x = e->number;
        return 1;
    }
    if (e->kind == EXPR_PARAM) {
        const struct pairs_value *v = value_of(m, e->param, row);
        *x = v ? v->number : 0;
        return v != NULL;
    }
    if (!number(m, e->left, row, &a) || !number(m, e->right, row, &b))
        return 0;
    switch (e->kind) {
    case EXPR_ADD:
        *x = a + b;
        break;
    case EXPR_SUB:
        *x = a - b;
        break;
    case EXPR_MUL:
        *x = a * b;
        break;
    case EXPR_DIV:
        *x = b != 0 ? a / b : NAN;
        break;
    default:
        *x = b != 0 ? fmod(a, b) : NAN;
        break;
    }
    return 1;
}

static int relate(enum expr_op op, double a, double b)
{
    if (isnan(a) || isnan(b))
        return 0;
    int sign = a < b ? -1 : a > b;
    switch (op) {
    case OP_EQ:
        return sign == 0;
    case OP_NE:
        return sign != 0;
    case OP_LT:
        return sign < 0;
    case OP_LE:
        return sign <= 0;
    case OP_GT:
        return sign > 0;
    default:
        return sign >= 0;
    }
}

int check_holds(const struct pairs_model *m, const struct pairs_expr *e, const int16_t *row)
{
    int a, b;
    double x, y;
    const struct pairs_value *v, *w;
    switch (e->kind) {
    case EXPR_NOT:
        a = check_holds(m, e->left, row);
        return a < 0 ? -1 : 1 - a;
    case EXPR_AND:
    case EXPR_OR:
        a = check_holds(m, e->left, row);
        b = check_holds(m, e->right, row);
        if (e->kind == EXPR_AND)
            return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
        return a == 1 || b == 1 ? 1 : a < 0 || b < 0 ? -1 : 0;
    case EXPR_IN:
        return row[e->param] < 0 ? -1 : e->set[row[e->param]] != 0;
    case EXPR_TEXT:
        v = value_of(m, e->param, row);
        w = value_of(m, e->other, row);
        if (!v || !w)
            return -1;
        a = m->case_sensitive ? strcmp(v->name, w->name) : strcasecmp(v->name, w->name);
        return relate(e->op, a, 0);
    case EXPR_NUMBERS:
        if (!number(m, e->left, row, &x) || !number(m, e->right, row, &y))
            return -1;
        return relate(e->op, x, y);
    default:
        return 1;
    }
}
