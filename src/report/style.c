#include "report/style.h"

#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct style style_for(int fd)
{
    struct winsize w;
    int terminal = ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col;
    int width = terminal ? w.ws_col : 100;
    width = width < 60 ? 60 : width > 120 ? 120 : width;
    return (struct style){.colour = progress_colour(fd == STDOUT_FILENO ? stdout : stderr),
                          .width = width,
                          .terminal = terminal};
}

void style_put(struct style s, struct sbuf *out, enum tint t, const char *text)
{
    static const char *const codes[] = {"", "\033[1;31m", "\033[1;32m", "\033[33m",
                                        "\033[1;36m", "\033[2m", "\033[1m"};
    int colour = s.colour && t != TINT_PLAIN;
    sbuf_printf(out, "%s%s%s", colour ? codes[t] : "", text, colour ? "\033[0m" : "");
}

void style_printf(struct style s, struct sbuf *out, enum tint t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = mem_vprintf(fmt, ap);
    va_end(ap);
    style_put(s, out, t, text);
    free(text);
}

static int starts_char(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

size_t style_columns(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += starts_char(*text);
    return n;
}

char *style_cut(const char *text, size_t columns)
{
    if (style_columns(text) <= columns)
        return mem_strdup(text);
    const char *p = text;
    for (size_t n = 0; *p; p++)
        if (starts_char(*p) && ++n >= columns)
            break;
    return mem_printf("%.*s…", (int)(p - text), text);
}

void style_wrap(struct style s, struct sbuf *out, const char *text, size_t at, size_t indent)
{
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " \n");
        char *word = mem_strndup(p, n);
        size_t columns = style_columns(word);
        if (p > text && at + 1 + columns > (size_t)s.width) {
            sbuf_putc(out, '\n');
            sbuf_pad(out, ' ', indent);
            at = indent;
        } else if (p > text) {
            sbuf_putc(out, ' ');
            at++;
        }
        sbuf_puts(out, word);
        free(word);
        at += columns;
        p += n + (p[n] != 0);
    }
}
