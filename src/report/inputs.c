#include "report/inputs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    unsigned thread, index;
    char type[8];
    char *value, *name; /* allocated */
};

/* 0, or -1 if the line is not one. */
static int read_line(const char *line, struct input *in)
{
    int at = 0;
    *in = (struct input){0};
    if (sscanf(line, "%u.%u %7s %n", &in->thread, &in->index, in->type, &at) != 3 || !at)
        return -1;
    size_t n = strcspn(line + at, " ");
    in->value = mem_strndup(line + at, n);
    in->name = mem_strdup(line[at + n] ? line + at + n + 1 : "");
    return 0;
}

static void free_line(struct input *in)
{
    free(in->value);
    free(in->name);
}

static int is_number(const struct input *in)
{
    return in->type[0] == 's' || in->type[0] == 'u';
}

static void put_number(const struct input *in, struct sbuf *out)
{
    unsigned size = (unsigned)atoi(in->type + 1);
    unsigned long long v = in->type[0] == 's' ? (unsigned long long)strtoll(in->value, NULL, 10)
                                              : strtoull(in->value, NULL, 10);
    if (size < 8)
        v &= (1ull << 8 * size) - 1;
    sbuf_printf(out, "%s (0x%llx", in->value, v);
    if (size == 1 && isprint((int)v)) /* it may be a character */
        sbuf_printf(out, v == '\'' || v == '\\' ? ", '\\%c'" : ", '%c'", (int)v);
    sbuf_putc(out, ')');
}

static unsigned byte_at(const char *hex)
{
    char two[3] = {hex[0], hex[1], 0};
    return (unsigned)strtoul(two, NULL, 16);
}

static void put_character(unsigned c, struct sbuf *out)
{
    if (c == '"' || c == '\\')
        sbuf_printf(out, "\\%c", (int)c);
    else if (isprint((int)c))
        sbuf_putc(out, (char)c);
    else
        sbuf_printf(out, "\\%03o", c);
}

static void put_bytes(const struct input *in, struct sbuf *out)
{
    size_t n = strlen(in->value) / 2, shown = n;
    if (!strcmp(in->type, "text")) /* what comes after its end is not shown */
        for (shown = 0; shown < n && byte_at(in->value + 2 * shown);)
            shown++;
    sbuf_putc(out, '"');
    for (size_t i = 0; i < shown; i++)
        put_character(byte_at(in->value + 2 * i), out);
    sbuf_puts(out, "\"  {");
    for (size_t i = 0; i < n; i++)
        sbuf_printf(out, "%s0x%02x", i ? ", " : "", byte_at(in->value + 2 * i));
    sbuf_putc(out, '}');
}

void report_inputs(const struct schedule *s, struct style style, struct sbuf *out)
{
    if (!s->inputs.count)
        return;
    sbuf_putc(out, '\n');
    style_put(style, out, TINT_BOLD, "inputs");
    sbuf_putc(out, '\n');
    for (size_t i = 0; i < s->inputs.count; i++) {
        struct input in;
        if (read_line(s->inputs.items[i], &in))
            continue;
        sbuf_printf(out, "  %s = ", in.name);
        if (is_number(&in))
            put_number(&in, out);
        else
            put_bytes(&in, out);
        if (in.thread)
            sbuf_printf(out, "  (thread %u)", in.thread);
        sbuf_putc(out, '\n');
        free_line(&in);
    }
}

static unsigned earlier(const struct schedule *s, size_t before, const char *name)
{
    unsigned n = 0;
    for (size_t i = 0; i < before; i++) {
        struct input in;
        if (read_line(s->inputs.items[i], &in))
            continue;
        n += !strcmp(in.name, name);
        free_line(&in);
    }
    return n;
}

void report_inputs_json(const struct schedule *s, struct sbuf *out)
{
    int any = 0;
    sbuf_putc(out, '{');
    for (size_t i = 0; i < s->inputs.count; i++) {
        struct input in;
        if (read_line(s->inputs.items[i], &in))
            continue;
        unsigned again = earlier(s, i, in.name);
        char *key = again ? mem_printf("%s#%u", in.name, again + 1) : mem_strdup(in.name);
        if (any++)
            sbuf_putc(out, ',');
        sbuf_json(out, key);
        sbuf_putc(out, ':');
        if (is_number(&in))
            sbuf_puts(out, in.value);
        else
            sbuf_json(out, in.value);
        free(key);
        free_line(&in);
    }
    sbuf_putc(out, '}');
}

/* ---- as a header of C --------------------------------------------------------------------------- */

/* Names that a constant cannot have, in C and C++ and beside <stdint.h>. */
static const char taken_names[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum explicit export extern false float for friend "
    "goto i386 if inline int linux long main mutable namespace new noexcept not not_eq nullptr operator or "
    "or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof "
    "static static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename typeof typeof_unqual union unix unsigned using virtual void volatile wchar_t while xor xor_eq ";

static int ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcmp(name + n - m, end);
}

static int is_taken(const char *name)
{
    char *word = mem_printf(" %s ", name);
    int taken = strstr(taken_names, word) != NULL;
    free(word);
    int type = !strncmp(name, "int", 3) || !strncmp(name, "uint", 4);
    return taken || (type && ends_in(name, "_t")) ||
           (name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]))) ||
           ends_in(name, "_MAX") || ends_in(name, "_MIN") || ends_in(name, "_C") || ends_in(name, "_WIDTH");
}

typedef VEC(char *) given_names;

static int is_given(const given_names *given, const char *name)
{
    for (size_t i = 0; i < given->count; i++)
        if (!strcmp(given->items[i], name))
            return 1;
    return 0;
}

/* The name of a constant: letters, digits, _; not one that another has, nor of the language. */
static const char *name_for(const struct input *in, given_names *given)
{
    struct sbuf base = {0};
    if (!isalpha((unsigned char)in->name[0]) && in->name[0] != '_')
        sbuf_putc(&base, '_');
    for (const char *p = in->name; *p; p++)
        sbuf_putc(&base, isalnum((unsigned char)*p) ? *p : '_');
    if (is_taken(sbuf_str(&base)))
        sbuf_puts(&base, "_input");
    char *name = mem_strdup(sbuf_str(&base));
    for (unsigned again = 2; is_given(given, name); again++) {
        free(name);
        name = mem_printf("%s_%u", sbuf_str(&base), again);
    }
    sbuf_free(&base);
    vec_push(given, name);
    return name;
}

static void put_constant(const struct input *in, const char *name, struct sbuf *out)
{
    if (!is_number(in)) {
        size_t n = strlen(in->value) / 2;
        sbuf_printf(out, "static const unsigned char %s[%zu] = {", name, n);
        for (size_t i = 0; i < n; i++)
            sbuf_printf(out, "%s0x%02x", i ? ", " : "", byte_at(in->value + 2 * i));
        sbuf_puts(out, "};\n");
        return;
    }
    int lowest = !strcmp(in->value, "-9223372036854775808");
    const char *sign = in->type[0] == 'u' ? "u" : "";
    sbuf_printf(out, "static const %sint%d_t %s = %s%s;\n", sign, 8 * atoi(in->type + 1), name,
                lowest ? "-9223372036854775807 - 1" : in->value, sign);
}

void report_inputs_header(const char *lines, struct sbuf *out)
{
    given_names given = {0};
    sbuf_puts(out, "/* Inputs of one path, written by raddle run --save-tests. */\n#include <stdint.h>\n\n");
    for (const char *p = lines; *p;) {
        size_t n = strcspn(p, "\n");
        char *line = mem_strndup(p, n);
        struct input in;
        if (!read_line(line, &in)) {
            put_constant(&in, name_for(&in, &given), out);
            free_line(&in);
        }
        free(line);
        p += n + (p[n] == '\n');
    }
    for (size_t i = 0; i < given.count; i++)
        free(given.items[i]);
    vec_free(&given);
}
