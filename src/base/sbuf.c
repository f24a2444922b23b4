#include "base/sbuf.h"

#include "base/mem.h"
#include "base/utf8.h"

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

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* A character as it is. */
static void put_bytes(struct sbuf *b, const char *from, const char *to)
{
    sbuf_add(b, from, (size_t)(to - from));
}

static void json_char(struct sbuf *b, uint32_t c, const char *from, const char *to)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *at = c && c < 0x80 ? strchr(plain, (int)c) : NULL;
    if (at)
        sbuf_printf(b, "\\%c", letter[at - plain]);
    else if (c == UTF8_BAD)
        sbuf_puts(b, REPLACEMENT);
    else if (utf8_is_control(c) && c < 0x10000)
        sbuf_printf(b, "\\u%04x", c);
    else
        put_bytes(b, from, to);
}

void sbuf_json(struct sbuf *b, const char *s)
{
    sbuf_putc(b, '"');
    while (*s) {
        const char *from = s;
        uint32_t c = utf8_next(&s);
        json_char(b, c, from, s);
    }
    sbuf_putc(b, '"');
}

/* Neither XML nor a reader wants control characters: they become visible. */
static void html_char(struct sbuf *b, uint32_t c, const char *from, const char *to)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = c && c < 0x80 ? strchr(special, (int)c) : NULL;
    if (at)
        sbuf_puts(b, names[at - special]);
    else if (c == UTF8_BAD)
        sbuf_puts(b, REPLACEMENT);
    else if (c < 0x20 && utf8_is_control(c))
        sbuf_printf(b, "&#x%x;", 0x2400 + c); /* ␛ and its like */
    else if (utf8_is_control(c))
        sbuf_printf(b, "⟨U+%04X⟩", c);
    else
        put_bytes(b, from, to);
}

void sbuf_html(struct sbuf *b, const char *s)
{
    while (*s) {
        const char *from = s;
        uint32_t c = utf8_next(&s);
        html_char(b, c, from, s);
    }
}

static int is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (signed char)c < 0 ||
           (c && strchr("_-+=./,:@%", c));
}

void sbuf_word(struct sbuf *b, const char *s)
{
    size_t plain = 0;
    while (is_plain(s[plain]))
        plain++;
    if (plain && !s[plain]) {
        sbuf_puts(b, s);
        return;
    }
    sbuf_putc(b, '\'');
    for (; *s; s++)
        if (*s == '\'')
            sbuf_puts(b, "'\\''");
        else
            sbuf_putc(b, *s);
    sbuf_putc(b, '\'');
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
