/* Reading one asm statement. Its parentheses hold, separated by colons, the instructions (string
 * literals), output and input operands (constraint and C expression), clobbers and labels. All memory
 * it can touch is named by memory operands ("m" (*p)), or the instructions address it themselves:
 * "(%1)" with the pointer in an operand is understood, anything else is not. */
#include "cc/asm_statement.h"

#include "cc/asm_code.h"
#include "base/sbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_raw_string(const char *quote, const char *end)
{
    const char *open = memchr(quote, '(', (size_t)(end - quote));
    if (!open)
        return end;
    size_t n = (size_t)(open - quote - 1);
    for (const char *p = open + 1; p + n + 2 <= end; p++)
        if (*p == ')' && !strncmp(p + 1, quote + 1, n) && p[n + 1] == '"')
            return p + n + 2;
    return end;
}

static const char *skip_quoted(const char *p, const char *end)
{
    char quote = *p++;
    for (; p < end && *p != quote && *p != '\n'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

const char *asm_skip_literal(const char *start, const char *p, const char *end)
{
    char before = p > start ? p[-1] : '\n';
    if (*p == '#' && before == '\n') { /* a line marker or a pragma */
        const char *line = memchr(p, '\n', (size_t)(end - p));
        return line ? line : end;
    }
    if (*p == '"' && before == 'R')
        return skip_raw_string(p, end);
    if (*p == '\'' && isxdigit((unsigned char)before)) /* 1'000 */
        return p + 1;
    return *p == '"' || *p == '\'' ? skip_quoted(p, end) : p;
}

/* Appends the characters of the string literals in [p, end). */
static void add_strings(struct sbuf *into, const char *p, const char *end)
{
    const char *start = p;
    while (p < end) {
        const char *next = asm_skip_literal(start, p, end);
        if (next == p) {
            p++;
            continue;
        }
        if (*p == '"')
            for (const char *c = p + 1; c < next - 1; c++) {
                int escaped = *c == '\\' && c + 1 < next - 1;
                c += escaped;
                sbuf_putc(into, !escaped ? *c : *c == 'n' ? '\n' : *c == 't' ? '\t' : *c);
            }
        p = next;
    }
}

static char *strings(const char *p, const char *end)
{
    struct sbuf b = {0};
    add_strings(&b, p, end);
    char *text = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return text;
}

/* The end of the part that begins at p: the next `separator` (or colon) outside of all brackets. */
static const char *part_end(const char *p, const char *end, char separator)
{
    const char *start = p;
    int depth = 0;
    while (p < end) {
        const char *next = asm_skip_literal(start, p, end);
        if (next != p) {
            p = next;
            continue;
        }
        if (!depth && (*p == separator || *p == ':'))
            return p;
        depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
        p++;
    }
    return end;
}

static char *between(const char *p, const char *end, char open, char close)
{
    const char *from = memchr(p, open, (size_t)(end - p)), *to = end;
    while (from && to > from && *--to != close)
        ;
    return from ? mem_strndup(from + 1, (size_t)(to - from - 1)) : NULL;
}

static void read_operand(struct asm_statement *s, const char *p, const char *end, int output)
{
    const char *quote = memchr(p, '"', (size_t)(end - p));
    if (!quote)
        return;
    const char *behind = skip_quoted(quote, end);
    struct asm_operand o = {.name = between(p, quote, '[', ']'),
                            .constraint = strings(quote, behind),
                            .expression = between(behind, end, '(', ')'),
                            .output = output};
    vec_push(&s->operands, o);
}

static const char *read_operands(struct asm_statement *s, const char *p, const char *end, int output)
{
    for (;;) {
        const char *stop = part_end(p, end, ',');
        read_operand(s, p, stop, output);
        if (stop == end || *stop == ':')
            return stop;
        p = stop + 1;
    }
}

/* ---- what it means ---------------------------------------------------------------------------- */

/* Must the operand be in memory? With "rm" or "g" its value is meant. */
static int in_memory(const struct asm_operand *o)
{
    return strpbrk(o->constraint, "moVQ") && !strpbrk(o->constraint, "rgqabcdSDixyf0123456789");
}

/* Would evaluating the expression once more change anything? */
static int has_effects(const char *e)
{
    for (const char *p = e; *p; p++) {
        if ((p[0] == '+' && p[1] == '+') || (p[0] == '-' && p[1] == '-'))
            return 1;
        if (*p == '=' && p[1] != '=' && (p == e || !strchr("=!<>", p[-1])))
            return 1;
        if (*p == '(' && p > e && (isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == ']'))
            return 1; /* a call, or something as good as one */
    }
    return 0;
}

static int same_text(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, " \t\n");
        b += strspn(b, " \t\n");
        if (*a != *b || !*a)
            return *a == *b;
        a++;
        b++;
    }
}

/* The operand that "%1" or "%[name]", which p stands behind the percent of, refers to. */
static const struct asm_operand *referred(const struct asm_statement *s, const char *p)
{
    if (isdigit((unsigned char)*p)) {
        size_t i = (size_t)atoi(p);
        return i < s->operands.count ? &s->operands.items[i] : NULL;
    }
    for (size_t i = 0; *p == '[' && i < s->operands.count; i++) {
        const char *name = s->operands.items[i].name;
        if (name && !strncmp(p + 1, name, strlen(name)) && p[1 + strlen(name)] == ']')
            return &s->operands.items[i];
    }
    return NULL;
}

static void mean(struct asm_statement *s, enum asm_meaning m)
{
    s->meaning = m;
}

static void mean_place(struct asm_statement *s, enum asm_meaning m, char *address, char *size)
{
    s->meaning = m;
    s->address = address;
    s->size = size;
}

/* All memory operands are the same place, in and out. */
static void from_memory_operands(struct asm_statement *s)
{
    const char *place = NULL;
    int reads = 0, writes = 0;
    for (size_t i = 0; i < s->operands.count; i++) {
        const struct asm_operand *o = &s->operands.items[i];
        if (!in_memory(o))
            continue;
        if (!o->expression || has_effects(o->expression) ||
            (place && !same_text(place, o->expression))) {
            mean(s, ASM_UNKNOWN);
            return;
        }
        place = place ? place : o->expression;
        writes |= o->output;
        reads |= !o->output || strchr(o->constraint, '+');
    }
    if (place)
        mean_place(s, !writes ? ASM_LOAD : reads ? ASM_UPDATE : ASM_STORE,
                   mem_printf("&(%s)", place), mem_printf("sizeof(%s)", place));
}

static void from_pointer(struct asm_statement *s, const struct asm_code *code)
{
    const struct asm_operand *o = referred(s, code->pointer);
    if (!o || !o->expression || has_effects(o->expression))
        mean(s, ASM_UNKNOWN);
    else
        mean_place(s, code->pointer_read_only ? ASM_LOAD : ASM_UPDATE, mem_strdup(o->expression),
                   mem_printf("%d", code->width ? code->width : 8));
}

static int any_in_memory(const struct asm_statement *s)
{
    for (size_t i = 0; i < s->operands.count; i++)
        if (in_memory(&s->operands.items[i]))
            return 1;
    return 0;
}

static void find_meaning(struct asm_statement *s)
{
    struct asm_code code;
    asm_code_read(&code, s->code);
    int memory = any_in_memory(s);
    if (!code.instructions) /* "" : "+m"(x) keeps the compiler from guessing: no access */
        mean(s, ASM_NOTHING);
    else if (code.strange || (memory && code.pointer) ||
             ((memory || code.pointer) && (code.branches || s->jumps)))
        mean(s, ASM_UNKNOWN);
    else if (code.pointer)
        from_pointer(s, &code);
    else if (memory)
        from_memory_operands(s);
    else
        mean(s, code.locked ? ASM_UNKNOWN : code.fences ? ASM_FENCE : ASM_NOTHING);
}

void asm_statement_read(struct asm_statement *s, const char *text, size_t n)
{
    const char *end = text + n, *p = part_end(text, end, ':');
    *s = (struct asm_statement){.code = strings(text, p), .extended = p < end};
    if (p < end)
        p = read_operands(s, p + 1, end, 1);
    if (p < end)
        p = read_operands(s, p + 1, end, 0);
    for (int part = 0; p < end; part++) {
        s->jumps = part == 1;
        p = part_end(p + 1, end, ':');
    }
    find_meaning(s);
}

void asm_statement_free(struct asm_statement *s)
{
    for (size_t i = 0; i < s->operands.count; i++) {
        free(s->operands.items[i].name);
        free(s->operands.items[i].constraint);
        free(s->operands.items[i].expression);
    }
    vec_free(&s->operands);
    free(s->code);
    free(s->address);
    free(s->size);
}

int asm_code_matters(const char *code)
{
    struct asm_code c;
    asm_code_read(&c, code);
    return c.instructions && (c.strange || c.pointer || c.locked);
}
