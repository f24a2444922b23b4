/* Atoms of constraints: relations between a parameter and a constant, between parameters, between
 * arithmetic on numeric parameters; sets, patterns, signs. An atom that mentions one parameter and
 * a constant becomes the set of values that satisfy it. Arithmetic: * / % bind tighter than + -. */
#include "pairs/parse_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t parse_skip_space(const struct pairs_source *s, size_t at)
{
    int line_begins = at == 0 || s->text[at - 1] == '\n';
    for (; at < s->length; at++) {
        char c = s->text[at];
        if (c == '#' && line_begins)
            while (at < s->length && s->text[at] != '\n')
                at++;
        else if (!isspace((unsigned char)c))
            break;
        if (at < s->length && s->text[at] == '\n')
            line_begins = 1;
    }
    return at < s->length ? at : s->length;
}

const char *parse_here(struct reader *r)
{
    r->at = parse_skip_space(r->s, r->at);
    return r->s->text + r->at;
}

static int is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || ((unsigned char)c & 0x80);
}

int parse_take(struct reader *r, const char *token)
{
    size_t n = strlen(token);
    const char *p = parse_here(r);
    if (strncasecmp(p, token, n) || (is_name_char(token[0]) && is_name_char(p[n])))
        return 0;
    r->at += n;
    return 1;
}

struct pairs_expr *parse_fail(struct reader *r, size_t at, const char *message)
{
    pairs_source_error(r->s, at, r->e, "%s", message);
    return NULL;
}

/* Text up to the closing character; a backslash takes the next character as it is. */
static char *quoted(struct reader *r, char close)
{
    size_t from = r->at, n = 0;
    char *text = mem_alloc(r->s->length - r->at + 1);
    for (; r->at < r->s->length && r->s->text[r->at] != close; r->at++) {
        if (r->s->text[r->at] == '\\' && r->at + 1 < r->s->length)
            r->at++;
        text[n++] = r->s->text[r->at];
    }
    if (r->at >= r->s->length) {
        free(text);
        pairs_source_error(r->s, from - 1, r->e, "this '%c' is not closed", close == ']' ? '[' : close);
        return NULL;
    }
    r->at++;
    return text;
}

static struct pairs_expr *param_node(struct reader *r, int param)
{
    struct pairs_expr *x = expr_new(EXPR_PARAM, NULL, NULL);
    x->param = param;
    return x;
}

static struct pairs_expr *name_node(struct reader *r, char *name, size_t at)
{
    int param = name ? pairs_find_param(r->m, name) : -1;
    if (name && param < 0)
        pairs_source_error(r->s, at, r->e, "no parameter is called '%s'", name);
    free(name);
    return param < 0 ? NULL : param_node(r, param);
}

static struct pairs_expr *parse_sum(struct reader *r);

static struct pairs_expr *parse_primary(struct reader *r)
{
    const char *p = parse_here(r);
    size_t at = r->at;
    if (++r->depth > PARSE_MAX_DEPTH)
        return parse_fail(r, at, "nested too deeply");
    struct pairs_expr *x = NULL;
    if (parse_take(r, "[")) {
        char *name = quoted(r, ']');
        r->unknown = name && pairs_find_param(r->m, name) < 0;
        x = name_node(r, name, at + 1);
    } else if (parse_take(r, "(")) {
        x = parse_sum(r);
        if (x && !parse_take(r, ")")) {
            expr_free(x);
            x = parse_fail(r, r->at, "expected ')'");
        }
    } else if (parse_take(r, "-")) {
        x = parse_primary(r);
        if (x)
            x = expr_new(EXPR_SUB, expr_new(EXPR_CONST, NULL, NULL), x);
    } else if (isdigit((unsigned char)*p) || *p == '.') {
        char *end;
        x = expr_new(EXPR_CONST, NULL, NULL);
        x->number = strtod(p, &end);
        r->at += (size_t)(end - p) + (end == p);
    } else if (is_name_char(*p)) {
        size_t n = 0;
        while (is_name_char(p[n]) || (p[n] == '.' && is_name_char(p[n + 1])))
            n++;
        r->at += n;
        x = name_node(r, mem_strndup(p, n), at);
    } else {
        x = parse_fail(r, at, "expected a [parameter], a \"value\", a number or '('");
    }
    r->depth--;
    return x;
}

static struct pairs_expr *parse_chain(struct reader *r, struct pairs_expr *(*next)(struct reader *),
                                const char *ops, const enum expr_kind *kinds)
{
    struct pairs_expr *x = next(r);
    int length = 0;
    while (x) {
        const char *p = parse_here(r), *op = *p ? strchr(ops, *p) : NULL;
        if (!op)
            break;
        r->at++;
        struct pairs_expr *y = next(r);
        if (!y || ++length > 4000) {
            expr_free(x);
            expr_free(y);
            return y ? parse_fail(r, r->at, "the sum is too long") : NULL;
        }
        x = expr_new(kinds[op - ops], x, y);
    }
    return x;
}

static struct pairs_expr *parse_product(struct reader *r)
{
    static const enum expr_kind kinds[] = {EXPR_MUL, EXPR_DIV, EXPR_MOD};
    return parse_chain(r, parse_primary, "*/%", kinds);
}

static struct pairs_expr *parse_sum(struct reader *r)
{
    static const enum expr_kind kinds[] = {EXPR_ADD, EXPR_SUB};
    return parse_chain(r, parse_product, "+-", kinds);
}

static int parse_side(struct reader *r, struct side *side)
{
    parse_here(r);
    *side = (struct side){.at = r->at};
    if (parse_take(r, "\""))
        return (side->text = quoted(r, '"')) ? 0 : -1;
    static const char *const truths[] = {"true", "false"}; /* as ACTS writes them, without quotes */
    for (int i = 0; i < 2; i++)
        if (pairs_find_param(r->m, truths[i]) < 0 && parse_take(r, truths[i])) {
            side->text = mem_strdup(truths[i]);
            return 0;
        }
    return (side->tree = parse_sum(r)) ? 0 : -1;
}

void parse_free_side(struct side *side)
{
    expr_free(side->tree);
    free(side->text);
}

static struct pairs_expr *set_node(struct reader *r, int param)
{
    struct pairs_expr *x = expr_new(EXPR_IN, NULL, NULL);
    x->param = param;
    x->set = mem_alloc((size_t)r->m->params.items[param].count);
    return x;
}

/* Does value v of the parameter satisfy "v op constant"? 2: the types cannot be compared so. */
static int satisfies(struct reader *r, int param, int v, enum expr_op op, const struct side *c)
{
    const struct pairs_value *value = &r->m->params.items[param].values[v];
    int numeric = r->m->params.items[param].numeric;
    if (c->text) {
        char *end;
        double x = strtod(c->text, &end);
        if (numeric && end != c->text && !*end)
            return expr_compare(op, value->number, x);
        if (numeric && op != OP_EQ && op != OP_NE)
            return 2;
        return expr_compare(op, expr_text_compare(r->m, value->name, c->text), 0);
    }
    if (numeric || value->is_number)
        return expr_compare(op, value->number, c->tree->number);
    return op == OP_EQ ? 0 : op == OP_NE ? 1 : 2;
}

struct pairs_expr *parse_constant_relation(struct reader *r, int param, enum expr_op op,
                                     const struct side *c)
{
    struct pairs_expr *x = set_node(r, param);
    for (int v = 0; v < r->m->params.items[param].count; v++) {
        int truth = satisfies(r, param, v, op, c);
        if (truth == 2) {
            expr_free(x);
            pairs_source_error(r->s, c->at, r->e,
                         "parameter '%s' is %s: it cannot be ordered against this",
                         r->m->params.items[param].name,
                         r->m->params.items[param].numeric ? "numeric" : "text");
            return NULL;
        }
        x->set[v] = (unsigned char)truth;
    }
    return x;
}

/* All parameters in arithmetic must be numeric; returns the index of one that is not, or -1. */
static int not_numeric(struct reader *r, const struct pairs_expr *x)
{
    if (!x)
        return -1;
    if (x->kind == EXPR_PARAM && !r->m->params.items[x->param].numeric)
        return x->param;
    int left = not_numeric(r, x->left);
    return left >= 0 ? left : not_numeric(r, x->right);
}

static struct pairs_expr *relation_node(struct reader *r, struct side *a, enum expr_op op, struct side *b)
{
    static const enum expr_op mirror[] = {OP_EQ, OP_NE, OP_GT, OP_GE, OP_LT, OP_LE};
    int a_param = a->tree && a->tree->kind == EXPR_PARAM,
        b_param = b->tree && b->tree->kind == EXPR_PARAM;
    int a_const = a->text || a->tree->kind == EXPR_CONST,
        b_const = b->text || b->tree->kind == EXPR_CONST;
    if (a_param && b_const)
        return parse_constant_relation(r, a->tree->param, op, b);
    if (b_param && a_const)
        return parse_constant_relation(r, b->tree->param, mirror[op], a);
    if (a->text || b->text)
        return parse_fail(r, a->text ? a->at : b->at,
                          "a text can only be compared with a parameter");
    int bad = not_numeric(r, a->tree), bad2 = not_numeric(r, b->tree);
    if (a_param && b_param && (bad >= 0 || bad2 >= 0)) {
        struct pairs_expr *x = expr_new(EXPR_TEXT, NULL, NULL);
        x->op = op;
        x->param = a->tree->param;
        x->other = b->tree->param;
        return x;
    }
    if (bad >= 0 || bad2 >= 0) {
        pairs_source_error(r->s, bad >= 0 ? a->at : b->at, r->e,
                     "parameter '%s' is not numeric: no arithmetic on it",
                     r->m->params.items[bad >= 0 ? bad : bad2].name);
        return NULL;
    }
    struct pairs_expr *x = expr_new(EXPR_NUMBERS, a->tree, b->tree);
    x->op = op;
    a->tree = b->tree = NULL;
    return x;
}

static int take_op(struct reader *r, enum expr_op *op)
{
    static const struct {
        const char *token;
        enum expr_op op;
    } ops[] = {{"<>", OP_NE}, {"!=", OP_NE}, {"<=", OP_LE}, {">=", OP_GE},
               {"==", OP_EQ}, {"<", OP_LT},  {">", OP_GT},  {"=", OP_EQ}};
    if (!strncmp(parse_here(r), "=>", 2))
        return 0;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (parse_take(r, ops[i].token)) {
            *op = ops[i].op;
            return 1;
        }
    return 0;
}

/* A value in a set: "text", a number, or a bare word. */
int parse_constant(struct reader *r, struct side *c)
{
    const char *p = parse_here(r);
    *c = (struct side){.at = r->at};
    if (parse_take(r, "\""))
        return (c->text = quoted(r, '"')) ? 0 : -1;
    char *end;
    double x = strtod(p, &end);
    if (end != p && isfinite(x) && !is_name_char(*end)) {
        c->tree = expr_new(EXPR_CONST, NULL, NULL);
        c->tree->number = x;
        r->at += (size_t)(end - p);
        return 0;
    }
    size_t n = 0;
    while (is_name_char(p[n]) || (n && strchr("-.", p[n]) && p[n]))
        n++;
    if (n == 0) {
        pairs_source_error(r->s, r->at, r->e, "expected a value");
        return -1;
    }
    c->text = mem_strndup(p, n);
    r->at += n;
    return 0;
}

static struct pairs_expr *parse_set(struct reader *r, int param)
{
    if (!parse_take(r, "{"))
        return parse_fail(r, r->at, "expected '{' after IN");
    struct pairs_expr *x = set_node(r, param);
    do {
        struct side c;
        if (parse_constant(r, &c)) {
            expr_free(x);
            return NULL;
        }
        struct pairs_expr *one = parse_constant_relation(r, param, OP_EQ, &c);
        for (int v = 0; one && v < r->m->params.items[param].count; v++)
            x->set[v] |= one->set[v];
        expr_free(one);
        parse_free_side(&c);
    } while (parse_take(r, ","));
    if (parse_take(r, "}"))
        return x;
    expr_free(x);
    return parse_fail(r, r->at, "expected ',' or '}' in the set of values");
}

static struct pairs_expr *parse_like(struct reader *r, int param)
{
    char *pattern;
    if (!parse_take(r, "\""))
        return parse_fail(r, r->at, "LIKE wants a \"pattern\"");
    if (!(pattern = quoted(r, '"')))
        return NULL;
    struct pairs_expr *x = set_node(r, param);
    for (int v = 0; v < r->m->params.items[param].count; v++)
        x->set[v] =
            (unsigned char)pairs_like(r->m, pattern, r->m->params.items[param].values[v].name);
    free(pattern);
    return x;
}

/* IsNegative(p), IsPositive(p): by one parameter, or by any / all of them with no name. */
static struct pairs_expr *sign_node(struct reader *r, int param, int negative)
{
    struct pairs_expr *x = set_node(r, param);
    for (int v = 0; v < r->m->params.items[param].count; v++)
        x->set[v] = r->m->params.items[param].values[v].negative == negative;
    return x;
}

static struct pairs_expr *parse_sign(struct reader *r, int negative)
{
    if (!parse_take(r, "("))
        return parse_fail(r, r->at, "expected '('");
    const char *p = parse_here(r);
    size_t at = r->at, n = strcspn(p, ")");
    if (p[n] != ')')
        return parse_fail(r, at, "expected ')'");
    r->at += n + 1;
    while (n && isspace((unsigned char)p[n - 1]))
        n--;
    if (n > 1 && p[0] == '[' && p[n - 1] == ']') {
        p++;
        n -= 2;
    }
    if (n) {
        struct pairs_expr *named = name_node(r, mem_strndup(p, n), at);
        struct pairs_expr *x = named ? sign_node(r, named->param, negative) : NULL;
        expr_free(named);
        return x;
    }
    struct pairs_expr *all = NULL;
    for (int i = 0; i < (int)r->m->params.count && i < 4000; i++) {
        struct pairs_expr *one = sign_node(r, i, negative);
        all = all ? expr_new(negative ? EXPR_OR : EXPR_AND, all, one) : one;
    }
    return all;
}

/* What follows a left side: a relation, IN, LIKE, or nothing (a boolean parameter). */
static struct pairs_expr *parse_relation_rest(struct reader *r, struct side *a)
{
    enum expr_op op;
    int negate = 0;
    if (take_op(r, &op)) {
        struct side b;
        if (parse_side(r, &b))
            return NULL;
        struct pairs_expr *x = relation_node(r, a, op, &b);
        parse_free_side(&b);
        return x;
    }
    if (!a->tree || a->tree->kind != EXPR_PARAM)
        return parse_fail(r, r->at, "expected a relation: = <> < <= > >=");
    size_t before = r->at;
    if (parse_take(r, "not"))
        negate = 1;
    struct pairs_expr *x = NULL;
    if (parse_take(r, "in"))
        x = parse_set(r, a->tree->param);
    else if (parse_take(r, "like"))
        x = parse_like(r, a->tree->param);
    else if (!negate && pairs_find_value(r->m, a->tree->param, "true") >= 0)
        x = parse_constant_relation(r, a->tree->param, OP_EQ,
                                    &(struct side){.text = (char[]){"true"}});
    else
        return parse_fail(r, before, "expected a relation: = <> < <= > >= IN LIKE");
    return x && negate ? expr_new(EXPR_NOT, x, NULL) : x;
}

struct pairs_expr *parse_atom(struct reader *r)
{
    struct side a;
    if (parse_take(r, "isnegative"))
        return parse_sign(r, 1);
    if (parse_take(r, "ispositive"))
        return parse_sign(r, 0);
    if (parse_side(r, &a))
        return NULL;
    struct pairs_expr *x = parse_relation_rest(r, &a);
    parse_free_side(&a);
    return x;
}
