/* Functions of libc for programs with symbolic inputs. They are rewritten as the program is, so what they
 * compute keeps its expressions and their branches are explored; the rewriter makes the program call them
 * in the place of the originals (call.c). While nothing in memory depends on an input the originals are
 * called. What they give is what C11 says, no more: strcmp may give another positive number than libc. */
#include "rewrite/libc.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
    if (PLAIN())
        return strnlen(s, most);
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

OWN(char *, strndup, (const char *s, size_t most))
{
    size_t n = raddle_sym_strnlen(s, most);
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0;
    return copy;
}

OWN(char *, stpcpy, (char *to, const char *from))
{
    while ((*to = *from++))
        to++;
    return to;
}

OWN(char *, strncat, (char *to, const char *from, size_t n))
{
    char *end = to + raddle_sym_strlen(to);
    for (; n && *from; n--)
        *end++ = *from++;
    *end = 0;
    return to;
}

OWN(char *, strchrnul, (const char *s, int c))
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

OWN(void *, memrchr, (const void *x, int c, size_t n))
{
    const unsigned char *a = x;
    while (n--)
        if (a[n] == (unsigned char)c)
            return (void *)(a + n);
    return NULL;
}

OWN(void *, memmem, (const void *x, size_t n, const void *wanted, size_t length))
{
    for (const char *a = x; n >= length; a++, n--)
        if (!raddle_sym_memcmp(a, wanted, length))
            return (void *)a;
    return NULL;
}

static int is_among(char c, const char *set)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

OWN(size_t, strspn, (const char *s, const char *set))
{
    size_t n = 0;
    if (PLAIN())
        return strspn(s, set);
    while (s[n] && is_among(s[n], set))
        n++;
    return n;
}

OWN(size_t, strcspn, (const char *s, const char *set))
{
    size_t n = 0;
    if (PLAIN())
        return strcspn(s, set);
    while (s[n] && !is_among(s[n], set))
        n++;
    return n;
}

OWN(char *, strpbrk, (const char *s, const char *set))
{
    s += raddle_sym_strcspn(s, set);
    return *s ? (char *)s : NULL;
}

OWN(char *, strtok_r, (char *s, const char *set, char **rest))
{
    s = s ? s : *rest;
    s += raddle_sym_strspn(s, set);
    *rest = s + raddle_sym_strcspn(s, set);
    if (!*s)
        return NULL;
    if (**rest)
        *(*rest)++ = 0;
    return s;
}

/* As libc's it is not for several threads; the state is the thread's own here. */
OWN(char *, strtok, (char *s, const char *set))
{
    static __thread char *rest;
    return raddle_sym_strtok_r(s, set, &rest);
}

OWN(char *, strsep, (char **at, const char *set))
{
    char *s = *at;
    if (!s)
        return NULL;
    char *end = s + raddle_sym_strcspn(s, set);
    *at = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}

OWN(int, strncasecmp, (const char *a, const char *b, size_t n))
{
    if (PLAIN())
        return strncasecmp(a, b, n);
    for (; n; a++, b++, n--) {
        if (lower(*a) != lower(*b))
            return lower(*a) < lower(*b) ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

OWN(int, strcasecmp, (const char *a, const char *b))
{
    return PLAIN() ? strcasecmp(a, b) : raddle_sym_strncasecmp(a, b, (size_t)-1);
}

OWN(char *, strcasestr, (const char *s, const char *wanted))
{
    size_t n = raddle_sym_strlen(wanted);
    for (;; s++) {
        if (!raddle_sym_strncasecmp(s, wanted, n))
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

/* ---- sorting and searching ------------------------------------------------------------------- */

static void exchange(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

/* By insertion: stable, and it compares no more than it must for the few elements that inputs are. */
OWN(void, qsort, (void *array, size_t n, size_t size, int (*compare)(const void *, const void *)))
{
    char *a = array;
    if (PLAIN()) {
        qsort(array, n, size, compare);
        return;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && compare(a + (k - 1) * size, a + k * size) > 0; k--)
            exchange(a + (k - 1) * size, a + k * size, size);
}

OWN(void *, bsearch, (const void *key, const void *array, size_t n, size_t size,
                      int (*compare)(const void *, const void *)))
{
    const char *a = array;
    while (n) {
        const char *middle = a + n / 2 * size;
        int order = compare(key, middle);
        if (!order)
            return (void *)middle;
        if (order > 0) {
            a = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

int raddle_sym_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int raddle_sym_digit_of(int c, int base)
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
        raddle_sym_digit_of(s[2], 16) >= 0) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = s[0] == '0' ? 8 : 10;
    const char *digits = s;
    const unsigned long radix = (unsigned long)base, full = most / radix, rest = most % radix;
    unsigned long largest = 0; /* of so many digits, whatever they are: mostly nothing can overflow */
    for (int d; (d = raddle_sym_digit_of(*s, base)) >= 0; s++) {
        if (largest < full)
            largest = largest * radix + radix - 1;
        else if ((value > full) | ((value == full) & ((unsigned long)d > rest)))
            *overflow = 1;
        value = value * radix + (unsigned long)d;
    }
    *end = s == digits ? begin : s;
    return value;
}

static int read_sign(const char **s)
{
    while (raddle_sym_is_space(**s))
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

OWN(long long, strtoll, (const char *s, char **end, int base))
{
    return raddle_sym_strtol(s, end, base);
}

OWN(unsigned long long, strtoull, (const char *s, char **end, int base))
{
    return raddle_sym_strtoul(s, end, base);
}

OWN(long, strtoimax, (const char *s, char **end, int base))
{
    return raddle_sym_strtol(s, end, base);
}

OWN(unsigned long, strtoumax, (const char *s, char **end, int base))
{
    return raddle_sym_strtoul(s, end, base);
}
OWN(long long, atoll, (const char *s)) { return raddle_sym_strtol(s, NULL, 10); }

/* ---- characters, in the C locale ------------------------------------------------------------- */

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

OWN(int, isblank, (int c)) { return c == ' ' || c == '\t'; }
OWN(int, iscntrl, (int c)) { return (c >= 0 && c < ' ') || c == 127; }
OWN(int, isgraph, (int c)) { return c > ' ' && c <= '~'; }
OWN(int, ispunct, (int c)) { return raddle_sym_isgraph(c) && !raddle_sym_isalnum(c); }
OWN(int, isascii, (int c)) { return c >= 0 && c < 128; }
