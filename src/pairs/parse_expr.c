/* Constraints: PICT's grammar (IF … THEN … ELSE, AND, OR, NOT, relations, IN, LIKE, IsNegative,
 * IsPositive), ACTS's (&&, ||, !, =>, ==, !=, bare names) and arithmetic on numeric parameters, in
 * one recursive descent. Precedence from loose to tight: =>, OR, AND, NOT, relations, + -, * / %.
 */
#include "pairs/parse_internal.h"

#include <stdlib.h>
#include <string.h>

static struct pairs_expr *parse_implication(struct reader *r);

/* '(' opens either a boolean group or arithmetic: try the group, go back if it is none. */
static struct pairs_expr *parse_group(struct reader *r)
{
    size_t start = r->at;
    int depth = r->depth;
    struct error first = {0}, *outer = r->e;
    r->e = &first;
    r->at++;
    struct pairs_expr *x = parse_implication(r);
    if (x && parse_take(r, ")")) {
        r->e = outer;
        return x;
    }
    if (x)
        parse_fail(r, r->at, "expected ')'");
    expr_free(x);
    struct error second = {0};
    size_t reached = r->at;
    r->at = start;
    r->depth = depth;
    r->e = &second;
    x = parse_atom(r);
    r->e = outer;
    if (!x && outer)
        *outer = r->at >= reached ? second : first;
    return x;
}

static struct pairs_expr *parse_not(struct reader *r)
{
    const char *p = parse_here(r);
    if (++r->depth > PARSE_MAX_DEPTH)
        return parse_fail(r, r->at, "nested too deeply");
    struct pairs_expr *x;
    if (parse_take(r, "not") || (p[0] == '!' && p[1] != '=' && parse_take(r, "!"))) {
        x = parse_not(r);
        x = x ? expr_new(EXPR_NOT, x, NULL) : NULL;
    } else {
        x = *p == '(' ? parse_group(r) : parse_atom(r);
    }
    r->depth--;
    return x;
}

/* A list joined by one operator, as a balanced tree so that long ones stay shallow. */
static struct pairs_expr *balanced(enum expr_kind kind, struct pairs_expr **list, size_t n)
{
    if (n == 1)
        return list[0];
    return expr_new(kind, balanced(kind, list, n / 2), balanced(kind, list + n / 2, n - n / 2));
}

static struct pairs_expr *parse_list(struct reader *r, enum expr_kind kind, const char *word,
                               const char *sign, struct pairs_expr *(*next)(struct reader *))
{
    VEC(struct pairs_expr *) list = {0};
    struct pairs_expr *x;
    while ((x = next(r))) {
        vec_push(&list, x);
        if (!parse_take(r, word) && !parse_take(r, sign)) {
            x = balanced(kind, list.items, list.count);
            vec_free(&list);
            return x;
        }
    }
    for (size_t i = 0; i < list.count; i++)
        expr_free(list.items[i]);
    vec_free(&list);
    return NULL;
}

static struct pairs_expr *parse_and(struct reader *r)
{
    return parse_list(r, EXPR_AND, "and", "&&", parse_not);
}

static struct pairs_expr *parse_or(struct reader *r)
{
    return parse_list(r, EXPR_OR, "or", "||", parse_and);
}

static struct pairs_expr *parse_implication(struct reader *r)
{
    if (++r->depth > PARSE_MAX_DEPTH)
        return parse_fail(r, r->at, "nested too deeply");
    struct pairs_expr *a = parse_or(r);
    if (a && parse_take(r, "=>")) {
        struct pairs_expr *b = parse_implication(r);
        if (b) {
            a = expr_new(EXPR_OR, expr_new(EXPR_NOT, a, NULL), b);
        } else {
            expr_free(a);
            a = NULL;
        }
    }
    r->depth--;
    return a;
}

/* IF a THEN b ELSE c  is  (not a or b) and (a or c). */
static struct pairs_expr *parse_if(struct reader *r)
{
    struct pairs_expr *a = parse_implication(r), *b = NULL, *c = NULL;
    if (a && !parse_take(r, "then")) {
        expr_free(a);
        return parse_fail(r, r->at, "expected THEN");
    }
    b = a ? parse_implication(r) : NULL;
    int has_else = b && parse_take(r, "else");
    c = has_else ? parse_implication(r) : NULL;
    if (!b || (has_else && !c)) {
        expr_free(a);
        expr_free(b);
        return NULL;
    }
    struct pairs_expr *again = c ? expr_copy(a, r->m) : NULL;
    struct pairs_expr *x = expr_new(EXPR_OR, expr_new(EXPR_NOT, a, NULL), b);
    return c ? expr_new(EXPR_AND, x, expr_new(EXPR_OR, again, c)) : x;
}

/* forbid (International, 800, *, *): one entry per parameter, as in table 4.2. */
static struct pairs_expr *parse_forbidden_row(struct reader *r)
{
    struct pairs_expr *all = NULL, *one;
    size_t start = r->at, n = 0;
    for (int more = 1; more; more = parse_take(r, ","), n++) {
        if (n == r->m->declared) {
            expr_free(all);
            return parse_fail(r, r->at, "more entries than parameters");
        }
        if (parse_take(r, "*"))
            continue;
        struct side c;
        size_t at = (parse_here(r), r->at);
        if (parse_constant(r, &c)) {
            expr_free(all);
            return NULL;
        }
        one = parse_constant_relation(r, (int)n, OP_EQ, &c);
        parse_free_side(&c);
        int known = 0;
        for (int v = 0; v < r->m->params.items[n].count; v++)
            known |= one->set[v];
        all = all ? expr_new(EXPR_AND, all, one) : one;
        if (!known) {
            expr_free(all);
            return parse_fail(r, at, "the parameter of this column has no such value");
        }
    }
    if (n == r->m->declared && all && parse_take(r, ")"))
        return all;
    expr_free(all);
    return parse_fail(r, n < r->m->declared ? start : r->at,
                      "expected one value or '*' for each parameter, not all '*', and ')'");
}

/* forbid [A] = x, [B] = y: the combination of them. */
static struct pairs_expr *parse_forbid(struct reader *r)
{
    size_t before = r->at;
    const char *p = parse_here(r);
    struct pairs_expr *x;
    if (*p == '(' && memchr(p, '[', strcspn(p, ";")) == NULL) {
        r->at++;
        x = parse_forbidden_row(r);
    } else {
        r->at = before;
        x = parse_list(r, EXPR_AND, ",", ",", parse_implication);
    }
    return x ? expr_new(EXPR_NOT, x, NULL) : NULL;
}

/* The offset after the ';' that ends the statement at `at`, or 0. */
static size_t end_of_statement(const struct pairs_source *s, size_t at)
{
    char quote = 0;
    for (; at < s->length; at++) {
        char c = s->text[at];
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '[')
            quote = c == '[' ? ']' : c;
        else if (c == ';')
            return at + 1;
    }
    return 0;
}

struct pairs_expr *parse_constraint(struct pairs_model *m, const struct pairs_source *s,
                                    size_t *at, int whole,
                              struct error *e)
{
    struct reader r = {.m = m, .s = s, .at = *at, .e = e};
    struct pairs_expr *x = parse_take(&r, "if")       ? parse_if(&r)
                     : parse_take(&r, "forbid") ? parse_forbid(&r)
                                                : parse_implication(&r);
    if (x && !parse_take(&r, ";") && !(whole && !*parse_here(&r))) {
        expr_free(x);
        x = parse_fail(&r, r.at, "expected ';' (or AND, OR) here");
    }
    size_t end = !x && r.unknown && !whole ? end_of_statement(s, *at) : 0;
    if (end)
        x = expr_new(EXPR_TRUE, NULL, NULL);
    *at = end ? end : r.at;
    return x;
}
