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

static void put_name(const struct input *in, unsigned again, struct sbuf *out)
{
    if (!isalpha((unsigned char)in->name[0]) && in->name[0] != '_')
        sbuf_putc(out, '_');
    for (const char *p = in->name; *p; p++)
        sbuf_putc(out, isalnum((unsigned char)*p) ? *p : '_');
    if (again)
        sbuf_printf(out, "_%u", again + 1);
}

static void put_constant(const struct input *in, unsigned again, struct sbuf *out)
{
    if (!is_number(in)) {
        size_t n = strlen(in->value) / 2;
        sbuf_puts(out, "static const unsigned char ");
        put_name(in, again, out);
        sbuf_printf(out, "[%zu] = {", n);
        for (size_t i = 0; i < n; i++)
            sbuf_printf(out, "%s0x%02x", i ? ", " : "", byte_at(in->value + 2 * i));
        sbuf_puts(out, "};\n");
        return;
    }
    int lowest = !strcmp(in->value, "-9223372036854775808");
    sbuf_printf(out, "static const %sint%d_t ", in->type[0] == 'u' ? "u" : "", 8 * atoi(in->type + 1));
    put_name(in, again, out);
    sbuf_printf(out, " = %s%s;\n", lowest ? "-9223372036854775807 - 1" : in->value,
                in->type[0] == 'u' ? "u" : "");
}

void report_inputs_header(const char *lines, struct sbuf *out)
{
    struct schedule s = {0};
    sbuf_puts(out, "/* Inputs of one path, written by raddle run --save-tests. */\n#include <stdint.h>\n\n");
    for (const char *p = lines; *p;) {
        size_t n = strcspn(p, "\n");
        vec_push(&s.inputs, mem_strndup(p, n));
        p += n + (p[n] == '\n');
    }
    for (size_t i = 0; i < s.inputs.count; i++) {
        struct input in;
        if (!read_line(s.inputs.items[i], &in)) {
            put_constant(&in, earlier(&s, i, in.name), out);
            free_line(&in);
        }
        free(s.inputs.items[i]);
    }
    vec_free(&s.inputs);
}
