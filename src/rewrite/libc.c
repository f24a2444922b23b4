/* Functions of libc for programs with symbolic inputs. They are rewritten as the program is, so what they
 * compute keeps its expressions and their branches are explored; the rewriter makes the program call them
 * in the place of the originals (call.c). While nothing in memory depends on an input the originals are
 * called. What they give is what C11 says, no more: strcmp may give another positive number than libc. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern uint32_t raddle_sym_cells; /* rewrite/hooks.h */
#define PLAIN() __builtin_expect(!raddle_sym_cells, 1)

#define OWN(type, name, parameters) /* a prototype, and the definition */                          \
    type raddle_sym_##name parameters;                                                             \
    type raddle_sym_##name parameters

OWN(size_t, strlen, (const char *s))
{
    size_t n = 0;
    if (PLAIN())
        return strlen(s);
    while (s[n])
        n++;
    return n;
}

OWN(size_t, strnlen, (const char *s, size_t most))
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

OWN(int, strncmp, (const char *a, const char *b, size_t n))
{
    if (PLAIN())
        return strncmp(a, b, n);
    for (; n; a++, b++, n--) {
        if (*a != *b)
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

OWN(int, strcmp, (const char *a, const char *b))
{
    return PLAIN() ? strcmp(a, b) : raddle_sym_strncmp(a, b, (size_t)-1);
}

OWN(int, memcmp, (const void *x, const void *y, size_t n))
{
    const unsigned char *a = x, *b = y;
    if (PLAIN())
        return memcmp(x, y, n);
    for (; n; a++, b++, n--)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

OWN(void *, memchr, (const void *x, int c, size_t n))
{
    const unsigned char *a = x;
    if (PLAIN())
        return memchr(x, c, n);
    for (; n; a++, n--)
        if (*a == (unsigned char)c)
            return (void *)a;
    return NULL;
}

OWN(char *, strchr, (const char *s, int c))
{
    if (PLAIN())
        return strchr(s, c);
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

OWN(char *, strrchr, (const char *s, int c))
{
    const char *last = NULL;
    if (PLAIN())
        return strrchr(s, c);
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (!*s)
            return (char *)last;
    }
}

OWN(char *, strstr, (const char *s, const char *wanted))
{
    if (PLAIN())
        return strstr(s, wanted);
    for (;; s++) {
        size_t n = 0;
        while (wanted[n] && s[n] == wanted[n])
            n++;
        if (!wanted[n])
            return (char *)s;
        if (!s[n] || !*s)
            return NULL;
    }
}

OWN(char *, strcpy, (char *to, const char *from))
{
    if (PLAIN())
        return strcpy(to, from);
    for (size_t i = 0; (to[i] = from[i]); i++)
        ;
    return to;
}

OWN(char *, strncpy, (char *to, const char *from, size_t n))
{
    size_t i = 0;
    if (PLAIN())
        return strncpy(to, from, n);
    for (; i < n && (to[i] = from[i]); i++)
        ;
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

OWN(char *, strcat, (char *to, const char *from))
{
    if (PLAIN())
        return strcat(to, from);
    raddle_sym_strcpy(to + raddle_sym_strlen(to), from);
    return to;
}

OWN(char *, strdup, (const char *s))
{
    if (PLAIN())
        return strdup(s);
    char *copy = malloc(raddle_sym_strlen(s) + 1);
    return copy ? raddle_sym_strcpy(copy, s) : NULL;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit_of(char c, int base)
{
    int d = c >= '0' && c <= '9'   ? c - '0'
            : c >= 'a' && c <= 'z' ? c - 'a' + 10
            : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                   : 99;
    return d < base ? d : -1;
}

/* The number without its sign; *overflow if it is more than `most`. */
static unsigned long read_number(const char *s, const char **end, int base, unsigned long most,
                                 int *overflow)
{
    unsigned long value = 0;
    const char *begin = s;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
        digit_of(s[2], 16) >= 0) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = s[0] == '0' ? 8 : 10;
    const char *digits = s;
    for (int d; (d = digit_of(*s, base)) >= 0; s++) {
        if (value > (most - (unsigned long)d) / (unsigned long)base)
            *overflow = 1;
        value = value * (unsigned long)base + (unsigned long)d;
    }
    *end = s == digits ? begin : s;
    return value;
}

static int read_sign(const char **s)
{
    while (is_space(**s))
        ++*s;
    int minus = **s == '-';
    if (**s == '-' || **s == '+')
        ++*s;
    return minus;
}

OWN(long, strtol, (const char *s, char **end, int base))
{
    int overflow = 0;
    const char *at = s, *after;
    if (PLAIN())
        return strtol(s, end, base);
    int minus = read_sign(&at);
    unsigned long v = read_number(at, &after, base, minus ? 1ul + LONG_MAX : LONG_MAX, &overflow);
    if (end)
        *end = (char *)(after == at ? s : after);
    if (overflow) {
        errno = ERANGE;
        return minus ? LONG_MIN : LONG_MAX;
    }
    return minus ? (long)(0 - v) : (long)v;
}

OWN(unsigned long, strtoul, (const char *s, char **end, int base))
{
    int overflow = 0;
    const char *at = s, *after;
    if (PLAIN())
        return strtoul(s, end, base);
    int minus = read_sign(&at);
    unsigned long v = read_number(at, &after, base, ULONG_MAX, &overflow);
    if (end)
        *end = (char *)(after == at ? s : after);
    if (overflow) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return minus ? 0 - v : v;
}

OWN(int, atoi, (const char *s))
{
    return (int)raddle_sym_strtol(s, NULL, 10);
}

OWN(long, atol, (const char *s))
{
    return raddle_sym_strtol(s, NULL, 10);
}

/* ---- characters, in the C locale ---------------------------------------------------------------------- */

OWN(int, isdigit, (int c)) { return c >= '0' && c <= '9'; }
OWN(int, islower, (int c)) { return c >= 'a' && c <= 'z'; }
OWN(int, isupper, (int c)) { return c >= 'A' && c <= 'Z'; }
OWN(int, isalpha, (int c)) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
OWN(int, isalnum, (int c)) { return raddle_sym_isalpha(c) || raddle_sym_isdigit(c); }
OWN(int, isspace, (int c)) { return c == ' ' || (c >= '\t' && c <= '\r'); }
OWN(int, isprint, (int c)) { return c >= ' ' && c <= '~'; }
OWN(int, toupper, (int c)) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
OWN(int, tolower, (int c)) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

OWN(int, isxdigit, (int c))
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
