/* Precedence climbing; the operations come out in postfix order, with the types that C gives them: what is
 * narrower than int becomes int, of two types the wider one wins, of two as wide the unsigned one. */
#include "host/property.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "report/objects.h"
#include "trace/property.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
    unsigned width;
    bool is_signed;
};

struct property_compiler {
    const char *text, *at, *end; /* the expression, where it is read, its end */
    struct objects objects;
    struct sbuf out;
    int ops;
    struct error *e;
};

static const struct type type_int = {32, true};

/* Points at a place of the expression. */
static int wrong(struct property_compiler *c, const char *at, const char *what, const char *todo)
{
    ensure(at >= c->text && at <= c->end);
    if (c->e->status)
        return -1;
    error_set(c->e, EXIT_USAGE, "--property: %s\n    %.*s\n    %*s^", what, (int)(c->end - c->text), c->text,
              (int)(at - c->text), "");
    if (todo)
        error_todo(c->e, "%s", todo);
    return -1;
}

static void emit(struct property_compiler *c, struct property_op op)
{
    char text[128];
    ensure(op.width > 0 && op.width <= 64);
    property_write(&op, text, sizeof text);
    sbuf_puts(&c->out, text);
    c->ops++;
}

static void skip_blanks(struct property_compiler *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

static bool is_word(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_';
}

static int expression(struct property_compiler *c, int level, struct type *t);

/* ---- operands ------------------------------------------------------------------------------------- */

static int constant(struct property_compiler *c, struct type *t)
{
    char *end;
    const char *start = c->at;
    errno = 0;
    unsigned long long v = strtoull(c->at, &end, 0);
    bool hex = c->at[0] == '0', is_unsigned = false, is_long = false;
    c->at = end;
    for (; c->at < c->end && strchr("uUlL", *c->at); c->at++) {
        is_unsigned |= *c->at == 'u' || *c->at == 'U';
        is_long |= *c->at == 'l' || *c->at == 'L';
    }
    if (errno || (c->at < c->end && (is_word(*c->at) || *c->at == '.')))
        return wrong(c, start, "this is not a whole number", NULL);
    *t = type_int;
    if (is_long || v > (is_unsigned || hex ? 0xffffffffull : 0x7fffffffull))
        t->width = 64;
    t->is_signed = !(is_unsigned || (hex && t->width == 32 && v > 0x7fffffff) || v > INT64_MAX);
    emit(c, (struct property_op){.kind = PROPERTY_CONST, .width = (uint8_t)t->width,
                                 .is_signed = t->is_signed, .value = v});
    return 0;
}

static int character(struct property_compiler *c, struct type *t)
{
    const char *start = c->at++;
    static const char names[] = "n\nt\tr\r0\0\\\\''";
    uint64_t v = (unsigned char)*c->at;
    if (*c->at == '\\') {
        const char *known = names;
        c->at++;
        while (*known && *known != *c->at)
            known += 2;
        v = (unsigned char)known[1];
    }
    if (++c->at >= c->end || *c->at != '\'')
        return wrong(c, start, "this is not a character", NULL);
    c->at++;
    *t = type_int;
    emit(c, (struct property_op){.kind = PROPERTY_CONST, .width = 32, .is_signed = true, .value = v});
    return 0;
}

/* FUNCTION:FILE:LINE: a thread that began there stands before an operation of this line. */
static int place(struct property_compiler *c, const char *start, size_t length, struct type *t)
{
    const char *file = start + length + 1, *colon = memchr(file, ':', (size_t)(c->end - file));
    char *function = mem_strndup(start, length), *end, *path;
    int line = colon ? (int)strtol(colon + 1, &end, 10) : 0, bad = 0;
    if (!line) {
        free(function);
        return wrong(c, start, "a place is FUNCTION:FILE:LINE", NULL);
    }
    uint64_t begins = !strcmp(function, "main") ? PROPERTY_MAIN
                      : !strcmp(function, "any") ? PROPERTY_ANYBODY
                                                 : objects_function(&c->objects, function);
    struct symbols_range ranges[64];
    path = mem_strndup(file, (size_t)(colon - file));
    int n = symbols_line(c->objects.debug, path, line, ranges, 64);
    if (begins == 0 && strcmp(function, "main"))
        bad = wrong(c, start, "the program has no function of this name",
                    "the function that a thread begins with, main, or any");
    else if (!n)
        bad = wrong(c, file, "the program has no code of this line", NULL);
    for (int i = 0; i < n && !bad; i++) {
        emit(c, (struct property_op){.kind = PROPERTY_AT, .width = 32, .is_signed = true, .value = begins,
                                     .low = ranges[i].low, .high = ranges[i].high});
        if (i)
            emit(c, (struct property_op){.kind = PROPERTY_OR, .width = 64});
    }
    free(function);
    free(path);
    *t = type_int;
    c->at = bad ? c->at : end;
    return bad;
}

/* Of a name with members and elements, up to c->at, the first part that there is not. */
static const char *first_unknown(struct property_compiler *c, const char *start)
{
    struct symbols_typed v;
    const char *end = c->at;
    enum symbols_kind kind = SYMBOLS_PART;
    while (kind == SYMBOLS_PART) {
        while (end > start && *--end != '.' && *end != '[')
            ;
        char *name = mem_strndup(start, (size_t)(end - start));
        kind = end > start ? symbols_typed(c->objects.debug, name, &v) : SYMBOLS_NONE;
        free(name);
    }
    return end > start ? end : start;
}

/* A variable with members and elements. */
static int variable(struct property_compiler *c, const char *start, struct type *t)
{
    while (c->at < c->end && (is_word(*c->at) || *c->at == '.' || *c->at == '[' || *c->at == ']'))
        c->at++;
    char *name = mem_strndup(start, (size_t)(c->at - start));
    struct symbols_typed v;
    enum symbols_kind kind = symbols_typed(c->objects.debug, name, &v);
    free(name);
    switch (kind) {
    case SYMBOLS_NONE:
        return wrong(c, start, "the program has no global variable of this name",
                     "global and static variables, their members and elements with constant index are known "
                     "(if the program was compiled with -g, which raddle cc adds)");
    case SYMBOLS_LOCAL:
        return wrong(c, start, "this is a local variable",
                     "only global and static variables can be asked for");
    case SYMBOLS_PART:
        return wrong(c, first_unknown(c, start), "there is no such member or element", NULL);
    case SYMBOLS_SEVERAL:
        return wrong(c, start, "several variables have this name",
                     "static ones of different files or functions: give the one that is meant another name");
    case SYMBOLS_BITS:
        return wrong(c, start, "this is a bit-field", "only members of whole bytes can be asked for");
    case SYMBOLS_AGGREGATE:
        return wrong(c, start, "this is a structure or an array",
                     "name a member (.name) or an element ([3])");
    case SYMBOLS_FLOATING:
        return wrong(c, start, "this is a floating-point variable",
                     "only integers and pointers can be asked for");
    case SYMBOLS_INTEGER:
        break;
    }
    *t = (struct type){v.size * 8, v.is_signed};
    emit(c, (struct property_op){.kind = PROPERTY_LOAD, .width = (uint8_t)t->width,
                                 .is_signed = t->is_signed, .value = v.address});
    return 0;
}

static void promote(struct type *t)
{
    if (t->width < 32)
        *t = type_int;
}

static int unary(struct property_compiler *c, struct type *t)
{
    static const struct {
        char sign;
        uint8_t kind;
    } signs[] = {{'!', PROPERTY_NOT}, {'~', PROPERTY_COMPLEMENT}, {'-', PROPERTY_NEGATE}};
    skip_blanks(c);
    const char *start = c->at;
    if (c->at == c->end)
        return wrong(c, start, "here something is missing", NULL);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (*c->at != signs[i].sign)
            continue;
        c->at++;
        if (unary(c, t))
            return -1;
        promote(t);
        emit(c, (struct property_op){.kind = signs[i].kind, .is_signed = t->is_signed,
                                     .width = signs[i].kind == PROPERTY_NOT ? 64 : (uint8_t)t->width});
        *t = signs[i].kind == PROPERTY_NOT ? type_int : *t;
        return 0;
    }
    if (*c->at == '(') {
        c->at++;
        if (expression(c, 0, t))
            return -1;
        skip_blanks(c);
        if (c->at == c->end || *c->at != ')')
            return wrong(c, start, "this parenthesis is not closed", NULL);
        c->at++;
        return 0;
    }
    if (isdigit((unsigned char)*c->at))
        return constant(c, t);
    if (*c->at == '\'')
        return character(c, t);
    if (!is_word(*c->at))
        return wrong(c, start, "this is no operand", NULL);
    size_t length = 0;
    while (c->at + length < c->end && is_word(c->at[length]))
        length++;
    if (start + length < c->end && start[length] == ':')
        return place(c, start, length, t);
    return variable(c, start, t);
}

/* ---- operators ------------------------------------------------------------------------------------ */

static const struct binary {
    const char *sign;
    uint8_t level, kind;
} binaries[] = {
    {"||", 1, PROPERTY_OR}, {"&&", 2, PROPERTY_AND}, {"==", 6, PROPERTY_EQ}, {"!=", 6, PROPERTY_NE},
    {"<<", 8, PROPERTY_SHL}, {">>", 8, PROPERTY_SHR}, {"<=", 7, PROPERTY_LE}, {">=", 7, PROPERTY_GE},
    {"<", 7, PROPERTY_LT}, {">", 7, PROPERTY_GT}, {"|", 3, PROPERTY_BIT_OR}, {"^", 4, PROPERTY_BIT_XOR},
    {"&", 5, PROPERTY_BIT_AND}, {"+", 9, PROPERTY_ADD}, {"-", 9, PROPERTY_SUB}, {"*", 10, PROPERTY_MUL},
    {"/", 10, PROPERTY_DIV}, {"%", 10, PROPERTY_MOD},
};

static const struct binary *binary_at(struct property_compiler *c)
{
    skip_blanks(c);
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        size_t n = strlen(binaries[i].sign);
        if ((size_t)(c->end - c->at) >= n && !strncmp(c->at, binaries[i].sign, n))
            return &binaries[i];
    }
    return NULL;
}

/* The type that the operation is computed in; that of its result. */
static struct type combine(const struct binary *b, struct type *left, struct type right)
{
    struct type t = *left;
    ensure(b && t.width);
    promote(&t);
    promote(&right);
    if (b->kind <= PROPERTY_AND)
        t = (struct type){64, true};
    else if (b->kind != PROPERTY_SHL && b->kind != PROPERTY_SHR && right.width > t.width)
        t = right;
    else if (b->kind != PROPERTY_SHL && b->kind != PROPERTY_SHR && right.width == t.width)
        t.is_signed &= right.is_signed;
    bool is_truth = b->kind <= PROPERTY_AND || (b->kind >= PROPERTY_EQ && b->kind <= PROPERTY_GE);
    *left = is_truth ? type_int : t;
    return t;
}

/* Are these operations a constant other than 0, which may be negated? */
static bool can_divide(const char *ops)
{
    const char *zero = strstr(ops, ".0.0.0 "), *first_end = strchr(ops, ' ');
    ensure(first_end);
    bool can = atoi(ops) == PROPERTY_CONST && (!zero || zero > first_end);
    for (ops = first_end + 1; *ops; ops = strchr(ops, ' ') + 1)
        can &= atoi(ops) == PROPERTY_NEGATE;
    return can;
}

static int expression(struct property_compiler *c, int level, struct type *t)
{
    const struct binary *b;
    ensure(c->at <= c->end);
    if (unary(c, t))
        return -1;
    while ((b = binary_at(c)) && b->level > level) {
        struct type right;
        size_t before = c->out.len;
        const char *sign = c->at;
        c->at += strlen(b->sign);
        if (expression(c, b->level, &right))
            return -1;
        if ((b->kind == PROPERTY_DIV || b->kind == PROPERTY_MOD) && !can_divide(c->out.s + before))
            return wrong(c, sign, "only a constant other than 0 can divide", NULL);
        struct type in = combine(b, t, right);
        emit(c, (struct property_op){.kind = b->kind, .width = (uint8_t)in.width, .is_signed = in.is_signed});
    }
    return 0;
}

static int whole(struct property_compiler *c)
{
    struct type t;
    skip_blanks(c);
    size_t left = (size_t)(c->end - c->at);
    if (left >= 8 && !strncmp(c->at, "deadlock", 8) && strspn(c->at + 8, " ") >= left - 8) {
        emit(c, (struct property_op){.kind = PROPERTY_DEADLOCK, .width = 32});
    } else {
        if (expression(c, 0, &t))
            return -1;
        skip_blanks(c);
        if (c->at < c->end)
            return wrong(c, c->at, "this does not belong to the expression", NULL);
    }
    sbuf_puts(&c->out, ";");
    return c->ops > PROPERTY_OPS ? wrong(c, c->text, "the properties are too long", NULL) : 0;
}

int property_compile(struct run_config *config, const char *program, struct error *e)
{
    struct property_compiler c = {.e = e};
    int bad = 0, count = 0;
    ensure(e);
    config->compiled[0] = 0;
    if (!config->property[0])
        return 0;
    e->status = 0;
    if (objects_open(&c.objects, program, e))
        return -1;
    for (const char *p = config->property; *p && !bad; p += strspn(p, ";")) {
        size_t n = strcspn(p, ";");
        c.text = c.at = p;
        c.end = p += n;
        bad = ++count > PROPERTIES ? wrong(&c, c.text, "there are more than 16 properties", NULL)
                                   : whole(&c);
    }
    if (!bad && c.out.len >= sizeof config->compiled)
        bad = wrong(&c, c.text, "the properties are too long", NULL);
    if (!bad)
        snprintf(config->compiled, sizeof config->compiled, "%s", c.out.s);
    objects_free(&c.objects);
    sbuf_free(&c.out);
    return bad;
}

int property_from_file(const char *path, const char **list, struct error *e)
{
    FILE *f = path ? fopen(path, "r") : NULL;
    char line[1024];
    if (!path)
        return 0;
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "#\n")] = 0;
        if (line[strspn(line, " \t\r")])
            *list = *list ? mem_printf("%s;%s", *list, line) : mem_strdup(line);
    }
    fclose(f);
    return 0;
}
