#include "base/escape.h"

#include <ctype.h>
#include <stdlib.h>

void escape_put(struct sbuf *b, const char *s)
{
    for (; *s; s++) {
        if (*s == '\n')
            sbuf_puts(b, "\\n");
        else if (*s == '\\')
            sbuf_puts(b, "\\\\");
        else if ((unsigned char)*s < 0x20 || *s == 0x7f)
            sbuf_printf(b, "\\x%02x", (unsigned char)*s);
        else
            sbuf_putc(b, *s);
    }
}

int escape_take(char *s)
{
    char *out = s;
    for (; *s; s++) {
        unsigned c;
        if (*s != '\\') {
            *out++ = *s;
        } else if (s[1] == 'n' || s[1] == '\\') {
            *out++ = *++s == 'n' ? '\n' : '\\';
        } else if (s[1] == 'x' && isxdigit((unsigned char)s[2]) && isxdigit((unsigned char)s[3])) {
            char hex[3] = {s[2], s[3], 0};
            c = (unsigned)strtoul(hex, NULL, 16);
            *out++ = (char)c;
            s += 3;
        } else {
            return -1;
        }
    }
    *out = 0;
    return 0;
}
