#include "base/foreign.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The length of a colour sequence as style.c makes them, 0 = none. */
static size_t colour_at(const char *s)
{
    if (s[0] != '\033' || s[1] != '[')
        return 0;
    size_t n = strspn(s + 2, "0123456789;");
    return n <= 4 && s[2 + n] == 'm' ? n + 3 : 0;
}

void foreign_put(struct sbuf *out, const char *text, enum foreign_colours colours)
{
    while (*text) {
        const char *from = text;
        size_t colour = colours == FOREIGN_COLOURS ? colour_at(text) : 0;
        uint32_t c = utf8_next(&text);
        if (colour)
            text = from + colour;
        else if (c == UTF8_BAD || (c < 0x80 && utf8_is_control(c)))
            sbuf_printf(out, "\\x%02x", (unsigned char)*from);
        else if (utf8_is_control(c))
            sbuf_printf(out, "\\u%04x", c);
        if (colour || (c != UTF8_BAD && !utf8_is_control(c)))
            sbuf_add(out, from, (size_t)(text - from));
    }
}

void foreign_print(FILE *f, const char *text, enum foreign_colours colours)
{
    struct sbuf shown = {0};
    foreign_put(&shown, text, colours);
    fputs(sbuf_str(&shown), f);
    sbuf_free(&shown);
}

void foreign_printf(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = mem_vprintf(fmt, ap);
    va_end(ap);
    foreign_print(f, text, FOREIGN_PLAIN);
    free(text);
}

int foreign_refuse(const char *name, const char *text, size_t length, struct error *e)
{
    static const char order_mark[] = "\xef\xbb\xbf";
    const char *s = text, *end = text + length;
    int line = 1, column = 1;
    if (length >= 3 && !memcmp(text, order_mark, 3))
        s += 3;
    while (s < end) {
        const char *from = s;
        uint32_t c = utf8_next(&s);
        if (c == UTF8_BAD)
            return error_set(e, EXIT_USAGE, "%.160s:%d:%d: this is not UTF-8: \\x%02x", name, line, column,
                             (unsigned char)*from);
        if (c != '\r' && utf8_is_control(c))
            return error_set(e, EXIT_USAGE, "%.160s:%d:%d: a control character: \\u%04x", name, line,
                             column, c);
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n';
    }
    return 0;
}
