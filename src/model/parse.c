/* Declarations, processes, states and transitions; see the grammar in docs/model.md. The first
 * error ends the parse: it jumps back to ast_parse with the message made. */
#include "model/parse.h"

#include "base/sbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const keywords[] = {
    "param", "const",   "enum",   "record", "message",  "process",   "port", "var",   "state",
    "final", "initial", "when",   "send",   "recv",     "to",        "from", "each",  "in",
    "if",    "else",    "for",    "assert", "instance", "invariant", "true", "false", "bool",
    "array", "of",      "forall", "exists", "sum",      "min",       "max",  "abs",   "_"};

void model_parse_fail(struct parser *p, const struct tok *at, const char *fmt, ...)
{
    char message[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    model_source_error(p->src, at->line, at->col, p->e, "%s", message);
    longjmp(p->fail, 1);
}

static void skip_comments(struct parser *p)
{
    while (p->t->kind == TOK_COMMENT)
        p->t++;
}

struct tok parse_next(struct parser *p)
{
    struct tok t = *p->t;
    if (t.kind != TOK_END)
        p->t++;
    skip_comments(p);
    return t;
}

int model_parse_take(struct parser *p, const char *word)
{
    if (!tok_is(p->t, word))
        return 0;
    parse_next(p);
    return 1;
}

static void fail_expected(struct parser *p, const char *what)
{
    if (p->t->kind == TOK_END)
        model_parse_fail(p, p->t, "expected %s, but the model ends here", what);
    model_parse_fail(p, p->t, "expected %s, found '%.*s'", what, p->t->len, p->t->s);
}

struct tok parse_expect(struct parser *p, const char *word, const char *where)
{
    if (!tok_is(p->t, word)) {
        char what[120];
        snprintf(what, sizeof what, "'%s' %s", word, where);
        fail_expected(p, what);
    }
    return parse_next(p);
}

static int is_keyword(const struct tok *t)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (tok_is(t, keywords[i]))
            return 1;
    return 0;
}

char *parse_name(struct parser *p, const char *what)
{
    if (p->t->kind != TOK_NAME)
        fail_expected(p, what);
    if (is_keyword(p->t))
        model_parse_fail(p, p->t, "expected %s, but '%.*s' is a keyword", what, p->t->len, p->t->s);
    struct tok t = parse_next(p);
    return mem_strndup(t.s, (size_t)t.len);
}

/* The tokens from `from` up to the next one, on one line. */
static char *text_since(struct parser *p, const struct tok *from)
{
    struct sbuf b = {0};
    for (const struct tok *t = from; t < p->t; t++) {
        if (t->kind == TOK_COMMENT)
            continue;
        int tight = t > from && t[-1].s + t[-1].len == t->s;
        if (b.len && !tight)
            sbuf_putc(&b, ' ');
        sbuf_add(&b, t->s, (size_t)t->len);
    }
    char *s = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return s;
}

static void fields(struct parser *p, field_list *into, const char *close)
{
    do {
        if (model_parse_take(p, close))
            return;
        struct field f = {.line = p->t->line, .col = p->t->col};
        f.name = parse_name(p, "a field's name");
        parse_expect(p, ":", "before the field's type");
        f.type = parse_type(p);
        vec_push(into, f);
    } while (model_parse_take(p, ","));
    parse_expect(p, close, "after the fields");
}

static void send_action(struct parser *p, struct tr *r)
{
    r->action = ACT_SEND;
    r->message_line = p->t->line;
    r->message_col = p->t->col;
    r->message = parse_name(p, "the message to send");
    if (tok_is(p->t, "("))
        parse_args(p, &r->args, 0);
    parse_expect(p, "to", "before the port");
    r->process = parse_name(p, "the process that owns the port");
    if (model_parse_take(p, "[")) {
        r->process_index = parse_expr(p);
        parse_expect(p, "]", "after the index");
    }
    parse_expect(p, ".", "between process and port");
    r->port = parse_name(p, "the port");
    if (model_parse_take(p, "[")) {
        r->port_index = parse_expr(p);
        parse_expect(p, "]", "after the index");
    }
}

static void recv_action(struct parser *p, struct tr *r)
{
    r->action = ACT_RECV;
    r->message_line = p->t->line;
    r->message_col = p->t->col;
    r->message = parse_name(p, "the message to receive");
    if (tok_is(p->t, "("))
        parse_args(p, &r->args, 1);
    parse_expect(p, "from", "before the port");
    r->port = parse_name(p, "a port of this process");
    if (model_parse_take(p, "[")) {
        r->port_index = parse_expr(p);
        parse_expect(p, "]", "after the index");
    }
}

static struct tr *transition(struct parser *p)
{
    struct tr *r = mem_alloc(sizeof *r);
    const struct tok *first = p->t;
    r->line = first->line;
    r->col = first->col;
    if (model_parse_take(p, "each")) {
        r->each = parse_name(p, "the variable of 'each'");
        parse_expect(p, "in", "after the variable of 'each'");
        r->each_lo = parse_additive(p);
        parse_expect(p, "..", "between the bounds");
        r->each_hi = parse_additive(p);
        parse_expect(p, ":", "before the transition");
        first = p->t;
    }
    if (model_parse_take(p, "when"))
        r->guard = parse_expr(p);
    if (model_parse_take(p, "send"))
        send_action(p, r);
    else if (model_parse_take(p, "recv"))
        recv_action(p, r);
    r->text = text_since(p, first);
    if (tok_is(p->t, "{"))
        parse_block(p, &r->body);
    if (model_parse_take(p, "->")) {
        r->target_line = p->t->line;
        r->target_col = p->t->col;
        r->target = parse_name(p, "the next state");
    } else if (p->t == first) {
        fail_expected(p, "a transition (when, send, recv, a block or '->')");
    }
    parse_expect(p, ";", "after the transition");
    return r;
}

static void state(struct parser *p, struct process_decl *d)
{
    struct state_decl s = {0};
    for (;;) {
        if (model_parse_take(p, "initial"))
            s.initial = 1;
        else if (model_parse_take(p, "final"))
            s.final = 1;
        else
            break;
    }
    parse_expect(p, "state", "");
    s.line = p->t->line;
    s.col = p->t->col;
    s.name = parse_name(p, "the state's name");
    if (model_parse_take(p, "{"))
        while (!model_parse_take(p, "}"))
            vec_push(&s.trans, transition(p));
    else
        parse_expect(p, ";", "or '{' after the state's name");
    vec_push(&d->states, s);
}

static void port(struct parser *p, struct process_decl *d)
{
    struct port_decl q = {.line = p->t->line, .col = p->t->col};
    q.name = parse_name(p, "the port's name");
    if (model_parse_take(p, "[")) {
        q.length = parse_expr(p);
        parse_expect(p, "]", "after the number of ports");
    }
    parse_expect(p, ":", "before the messages that the port takes");
    do {
        struct field f = {.line = p->t->line, .col = p->t->col};
        f.name = parse_name(p, "a message");
        vec_push(&q.types, f);
    } while (model_parse_take(p, ","));
    parse_expect(p, ";", "after the port");
    vec_push(&d->ports, q);
}

static void variables(struct parser *p, struct process_decl *d)
{
    size_t first = d->vars.count;
    do {
        struct field f = {.line = p->t->line, .col = p->t->col};
        f.name = parse_name(p, "the variable's name");
        vec_push(&d->vars, f);
    } while (model_parse_take(p, ","));
    parse_expect(p, ":", "before the type of the variable");
    struct ty *type = parse_type(p);
    struct ex *init = model_parse_take(p, "=") ? parse_expr(p) : NULL;
    parse_expect(p, ";", "after the variable");
    for (size_t i = first; i < d->vars.count; i++) {
        d->vars.items[i].type = type;
        d->vars.items[i].init = init;
    }
}

static void process_item(struct parser *p, struct process_decl *d)
{
    if (model_parse_take(p, "port")) {
        port(p, d);
    } else if (model_parse_take(p, "var")) {
        variables(p, d);
    } else if (model_parse_take(p, "const")) {
        struct field f = {.line = p->t->line, .col = p->t->col};
        f.name = parse_name(p, "the constant's name");
        parse_expect(p, "=", "before the constant's value");
        f.init = parse_expr(p);
        parse_expect(p, ";", "after the constant");
        vec_push(&d->consts, f);
    } else if (tok_is(p->t, "state") || tok_is(p->t, "final") || tok_is(p->t, "initial")) {
        state(p, d);
    } else {
        fail_expected(p, "port, var, const, state or '}'");
    }
}

static void process(struct parser *p, struct ast *a)
{
    struct process_decl *d = mem_alloc(sizeof *d);
    d->line = p->t->line;
    d->col = p->t->col;
    d->name = parse_name(p, "the process's name");
    if (model_parse_take(p, "[")) {
        d->count = parse_expr(p);
        parse_expect(p, "]", "after the number of instances");
    }
    if (model_parse_take(p, "(")) {
        d->is_template = 1;
        do {
            struct field f = {.line = p->t->line, .col = p->t->col};
            f.name = parse_name(p, "a parameter");
            vec_push(&d->params, f);
        } while (model_parse_take(p, ","));
        parse_expect(p, ")", "after the parameters");
    }
    parse_expect(p, "{", "to open the process");
    while (!model_parse_take(p, "}"))
        process_item(p, d);
    vec_push(&a->processes, d);
}

static void constant(struct parser *p, struct decl *d)
{
    parse_expect(p, "=", "before the value");
    if (model_parse_take(p, "[")) {
        d->is_list = 1;
        do {
            vec_push(&d->values, parse_expr(p));
        } while (model_parse_take(p, ","));
        parse_expect(p, "]", "after the values");
    } else {
        d->value = parse_expr(p);
    }
    parse_expect(p, ";", "after the value");
}

static void enumeration(struct parser *p, struct decl *d)
{
    parse_expect(p, "{", "before the values");
    do {
        struct field f = {.line = p->t->line, .col = p->t->col};
        f.name = parse_name(p, "a value's name");
        vec_push(&d->fields, f);
    } while (model_parse_take(p, ","));
    parse_expect(p, "}", "after the values");
    model_parse_take(p, ";");
}

static void instance(struct parser *p, struct decl *d)
{
    if (model_parse_take(p, "[")) {
        d->value = parse_expr(p);
        parse_expect(p, "]", "after the number of instances");
    }
    parse_expect(p, "=", "before the process to make an instance of");
    d->process = parse_name(p, "the process to make an instance of");
    if (tok_is(p->t, "("))
        parse_args(p, &d->values, 0);
    parse_expect(p, ";", "after the instance");
}

static void invariant(struct parser *p, struct decl *d)
{
    if (p->t[0].kind == TOK_NAME && tok_is(p->t + 1, ":") && !is_keyword(p->t)) {
        d->name = parse_name(p, "the invariant's name");
        parse_next(p);
    }
    const struct tok *first = p->t;
    d->value = parse_expr(p);
    d->text = text_since(p, first);
    parse_expect(p, ";", "after the invariant");
}

static void messages(struct parser *p, struct ast *a)
{
    do {
        struct decl d = {.kind = DECL_MESSAGE, .line = p->t->line, .col = p->t->col};
        d.name = parse_name(p, "the message's name");
        if (model_parse_take(p, "("))
            fields(p, &d.fields, ")");
        vec_push(&a->decls, d);
    } while (model_parse_take(p, ","));
    parse_expect(p, ";", "after the messages");
}

static void declaration(struct parser *p, struct ast *a)
{
    static const char *const words[] = {
        [DECL_PARAM] = "param",        [DECL_CONST] = "const",     [DECL_ENUM] = "enum",
        [DECL_RECORD] = "record",      [DECL_MESSAGE] = "message", [DECL_INSTANCE] = "instance",
        [DECL_INVARIANT] = "invariant"};
    if (model_parse_take(p, "process")) {
        process(p, a);
        return;
    }
    struct decl d = {0};
    size_t n = sizeof words / sizeof words[0], k = 0;
    while (k < n && !model_parse_take(p, words[k]))
        k++;
    if (k == n)
        fail_expected(p, "a declaration (param, const, enum, record, message, process, instance, "
                         "invariant)");
    d.kind = (enum decl_kind)k;
    if (d.kind == DECL_MESSAGE) {
        messages(p, a);
        return;
    }
    d.line = p->t->line;
    d.col = p->t->col;
    if (d.kind != DECL_INVARIANT)
        d.name = parse_name(p, "a name");
    if (d.kind == DECL_PARAM || d.kind == DECL_CONST)
        constant(p, &d);
    else if (d.kind == DECL_ENUM)
        enumeration(p, &d);
    else if (d.kind == DECL_INSTANCE)
        instance(p, &d);
    else if (d.kind == DECL_INVARIANT)
        invariant(p, &d);
    else {
        parse_expect(p, "{", "before the fields");
        fields(p, &d.fields, "}");
        model_parse_take(p, ";");
    }
    vec_push(&a->decls, d);
}

int ast_parse(const struct model_source *src, struct ast *out, struct error *e)
{
    struct parser p = {.src = src, .t = src->toks, .e = e};
    *out = (struct ast){.src = src};
    if (setjmp(p.fail))
        return -1;
    skip_comments(&p);
    while (p.t->kind != TOK_END)
        declaration(&p, out);
    return 0;
}
