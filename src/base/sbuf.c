#include "base/sbuf.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void room_for(struct sbuf *b, size_t n)
{
    mem_vec_grow((void **)&b->s, &b->room, b->len + n + 1, 1);
}

void sbuf_add(struct sbuf *b, const char *s, size_t n)
{
    room_for(b, n);
    memcpy(b->s + b->len, s, n);
    b->len += n;
    b->s[b->len] = 0;
}

void sbuf_puts(struct sbuf *b, const char *s)
{
    sbuf_add(b, s, strlen(s));
}

void sbuf_putc(struct sbuf *b, char c)
{
    sbuf_add(b, &c, 1);
}

void sbuf_pad(struct sbuf *b, char c, size_t n)
{
    room_for(b, n);
    memset(b->s + b->len, c, n);
    b->len += n;
    b->s[b->len] = 0;
}

void sbuf_printf(struct sbuf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = mem_vprintf(fmt, ap);
    va_end(ap);
    sbuf_puts(b, s);
    free(s);
}

static void json_char(struct sbuf *b, unsigned char c)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *at = c ? strchr(plain, c) : NULL;
    if (at)
        sbuf_printf(b, "\\%c", letter[at - plain]);
    else if (c < 0x20)
        sbuf_printf(b, "\\u%04x", c);
    else
        sbuf_putc(b, (char)c);
}

void sbuf_json(struct sbuf *b, const char *s)
{
    sbuf_putc(b, '"');
    for (; *s; s++)
        json_char(b, (unsigned char)*s);
    sbuf_putc(b, '"');
}

void sbuf_html(struct sbuf *b, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '&':
            sbuf_puts(b, "&amp;");
            break;
        case '<':
            sbuf_puts(b, "&lt;");
            break;
        case '>':
            sbuf_puts(b, "&gt;");
            break;
        case '"':
            sbuf_puts(b, "&quot;");
            break;
        case '\'':
            sbuf_puts(b, "&#39;");
            break;
        default:
            sbuf_putc(b, *s);
        }
    }
}

const char *sbuf_str(const struct sbuf *b)
{
    return b->s ? b->s : "";
}

void sbuf_free(struct sbuf *b)
{
    free(b->s);
    *b = (struct sbuf){0};
}
