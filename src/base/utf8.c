#include "base/utf8.h"

/* Number of bytes a first byte announces; 0: it is none. */
static int length_of(unsigned char c)
{
    return c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

uint32_t utf8_next(const char **s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*s;
    int n = length_of(*p);
    uint32_t c = n == 1 ? *p : *p & (0x7fu >> n);
    ++*s;
    if (n == 0)
        return UTF8_BAD;
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return UTF8_BAD;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return UTF8_BAD;
    *s += n - 1;
    return c;
}

int utf8_is_control(uint32_t c)
{
    if (c < 0x20)
        return c != '\t' && c != '\n';
    return (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200e && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
           (c & 0xfffe) == 0xfffe;
}
