/* Expressions, types and statements, by recursive descent; binary operators by precedence. */
#include "model/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *mark;
    int level;
} binary[] = {[OP_OR] = {"||", 1}, [OP_AND] = {"&&", 2}, [OP_EQ] = {"==", 3}, [OP_NE] = {"!=", 3},
              [OP_LT] = {"<", 4},  [OP_LE] = {"<=", 4},  [OP_GT] = {">", 4},  [OP_GE] = {">=", 4},
              [OP_ADD] = {"+", 5}, [OP_SUB] = {"-", 5},  [OP_MUL] = {"*", 6}, [OP_DIV] = {"/", 6},
              [OP_MOD] = {"%", 6}};
enum { ADDITIVE = 5 };

static struct ex *node(enum ex_kind kind, const struct tok *at)
{
    struct ex *x = mem_alloc(sizeof *x);
    x->kind = kind;
    x->line = at->line;
    x->col = at->col;
    return x;
}

static struct ex *parse_binary(struct parser *p, int level);

static struct ex *number(struct parser *p)
{
    struct tok t = parse_next(p);
    struct ex *x = node(EX_NUM, &t);
    char *end;
    errno = 0;
    x->num = strtoll(t.s, &end, 0);
    if (end != t.s + t.len || errno || x->num > 2147483647)
        model_parse_fail(p, &t, "'%.*s' is not a number below 2^31", t.len, t.s);
    return x;
}

static struct ex *quantifier(struct parser *p, enum op op)
{
    struct tok t = parse_next(p);
    struct ex *x = node(EX_QUANT, &t);
    x->op = op;
    x->name = parse_name(p, "the quantified variable");
    parse_expect(p, "in", "after the quantified variable");
    x->x = parse_additive(p);
    parse_expect(p, "..", "between the bounds");
    x->y = parse_additive(p);
    parse_expect(p, ":", "before what is quantified");
    x->z = parse_expr(p);
    return x;
}

static struct ex *call(struct parser *p, enum op op, int arguments)
{
    struct tok t = parse_next(p);
    struct ex *x = node(EX_CALL, &t);
    x->op = op;
    parse_expect(p, "(", "after the function's name");
    x->x = parse_expr(p);
    if (arguments == 2) {
        parse_expect(p, ",", "between the arguments");
        x->y = parse_expr(p);
    }
    parse_expect(p, ")", "after the arguments");
    return x;
}

static struct ex *postfix(struct parser *p, struct ex *x)
{
    for (;;) {
        struct tok t = *p->t;
        if (model_parse_take(p, "[")) {
            struct ex *i = node(EX_INDEX, &t);
            i->x = x;
            i->y = parse_expr(p);
            parse_expect(p, "]", "after the index");
            x = i;
        } else if (tok_is(&t, ".") || tok_is(&t, "@")) {
            parse_next(p);
            struct ex *f = node(tok_is(&t, ".") ? EX_FIELD : EX_AT, p->t);
            f->x = x;
            f->name = parse_name(p, tok_is(&t, ".") ? "a field or variable" : "a state");
            x = f;
        } else {
            return x;
        }
    }
}

static struct ex *primary(struct parser *p)
{
    struct tok t = *p->t;
    if (t.kind == TOK_NUMBER)
        return number(p);
    if (model_parse_take(p, "(")) {
        struct ex *x = parse_expr(p);
        parse_expect(p, ")", "to close the parenthesis");
        return x;
    }
    if (tok_is(&t, "true") || tok_is(&t, "false")) {
        struct ex *x = node(EX_BOOL, &t);
        x->num = tok_is(&t, "true");
        parse_next(p);
        return x;
    }
    static const struct {
        const char *word;
        enum op op;
        int arguments; /* 0: a quantifier */
    } words[] = {{"forall", OP_FORALL, 0}, {"exists", OP_EXISTS, 0}, {"sum", OP_SUM, 0},
                 {"min", OP_MIN, 2},       {"max", OP_MAX, 2},       {"abs", OP_ABS, 1}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (tok_is(&t, words[i].word))
            return words[i].arguments ? call(p, words[i].op, words[i].arguments)
                                      : quantifier(p, words[i].op);
    struct ex *x = node(EX_NAME, &t);
    x->name = parse_name(p, "an expression");
    return postfix(p, x);
}

static struct ex *unary(struct parser *p)
{
    struct tok t = *p->t;
    if (!tok_is(&t, "-") && !tok_is(&t, "!"))
        return primary(p);
    parse_next(p);
    struct ex *x = node(EX_UN, &t);
    x->op = tok_is(&t, "-") ? OP_NEG : OP_NOT;
    x->x = unary(p);
    return x;
}

static int binary_operator(const struct tok *t, int level, enum op *op)
{
    for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
        if (binary[i].level == level && tok_is(t, binary[i].mark)) {
            *op = (enum op)i;
            return 1;
        }
    return 0;
}

static struct ex *parse_binary(struct parser *p, int level)
{
    if (level > 6)
        return unary(p);
    struct ex *x = parse_binary(p, level + 1);
    enum op op;
    while (binary_operator(p->t, level, &op)) {
        struct tok t = parse_next(p);
        struct ex *b = node(EX_BIN, &t);
        b->op = op;
        b->x = x;
        b->y = parse_binary(p, level + 1);
        x = b;
    }
    return x;
}

struct ex *parse_additive(struct parser *p)
{
    return parse_binary(p, ADDITIVE);
}

struct ex *parse_expr(struct parser *p)
{
    struct ex *x = parse_binary(p, 1);
    struct tok t = *p->t;
    if (!model_parse_take(p, "?"))
        return x;
    struct ex *c = node(EX_COND, &t);
    c->x = x;
    c->y = parse_expr(p);
    parse_expect(p, ":", "between the two values of '?'");
    c->z = parse_expr(p);
    return c;
}

static struct ex *pattern(struct parser *p)
{
    struct tok t = *p->t;
    if (tok_is(&t, "_")) {
        parse_next(p);
        return node(EX_ANY, &t);
    }
    if (model_parse_take(p, "=")) {
        struct ex *m = node(EX_MATCH, &t);
        m->x = parse_expr(p);
        return m;
    }
    return parse_expr(p);
}

void parse_args(struct parser *p, ex_list *into, int patterns)
{
    parse_expect(p, "(", "before the arguments");
    if (model_parse_take(p, ")"))
        return;
    do {
        vec_push(into, patterns ? pattern(p) : parse_expr(p));
    } while (model_parse_take(p, ","));
    parse_expect(p, ")", "after the arguments");
}

struct ty *parse_type(struct parser *p)
{
    struct ty *y = mem_alloc(sizeof *y);
    y->line = p->t->line;
    y->col = p->t->col;
    if (model_parse_take(p, "bool")) {
        y->kind = TY_BOOL;
    } else if (model_parse_take(p, "array")) {
        y->kind = TY_ARRAY;
        parse_expect(p, "[", "after 'array'");
        y->lo = parse_expr(p);
        parse_expect(p, "]", "after the length of the array");
        parse_expect(p, "of", "before the type of the elements");
        y->elem = parse_type(p);
    } else {
        y->lo = parse_additive(p);
        if (model_parse_take(p, "..")) {
            y->kind = TY_RANGE;
            y->hi = parse_additive(p);
        } else if (y->lo->kind == EX_NAME) {
            y->kind = TY_NAMED;
            y->name = y->lo->name;
        } else {
            model_parse_fail(p, p->t, "a type is bool, LO..HI, array[N] of TYPE, or a name");
        }
    }
    return y;
}

static struct st *statement(struct parser *p)
{
    struct st *s = mem_alloc(sizeof *s);
    s->line = p->t->line;
    s->col = p->t->col;
    if (model_parse_take(p, "if")) {
        s->kind = ST_IF;
        s->rhs = parse_expr(p);
        parse_block(p, &s->body);
        if (model_parse_take(p, "else")) {
            if (tok_is(p->t, "if"))
                vec_push(&s->other, statement(p));
            else
                parse_block(p, &s->other);
        }
    } else if (model_parse_take(p, "for")) {
        s->kind = ST_FOR;
        s->name = parse_name(p, "the loop's variable");
        parse_expect(p, "in", "after the loop's variable");
        s->lhs = parse_additive(p);
        parse_expect(p, "..", "between the bounds");
        s->rhs = parse_additive(p);
        parse_block(p, &s->body);
    } else if (model_parse_take(p, "assert")) {
        s->kind = ST_ASSERT;
        s->rhs = parse_expr(p);
        if (p->t->kind == TOK_STRING) {
            struct tok t = parse_next(p);
            s->name = mem_strndup(t.s + 1, (size_t)t.len - 2);
        }
        parse_expect(p, ";", "after the assertion");
    } else {
        s->kind = ST_ASSIGN;
        struct tok t = *p->t;
        struct ex *name = node(EX_NAME, &t);
        name->name = parse_name(p, "a statement");
        s->lhs = postfix(p, name);
        parse_expect(p, "=", "in the assignment");
        s->rhs = parse_expr(p);
        parse_expect(p, ";", "after the assignment");
    }
    return s;
}

void parse_block(struct parser *p, st_list *into)
{
    parse_expect(p, "{", "to open the block");
    while (!model_parse_take(p, "}"))
        vec_push(into, statement(p));
}
