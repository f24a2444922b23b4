/* The printf family for programs with symbolic inputs, as libc.c: whole numbers, characters and strings
 * keep their expressions. */
#include "rewrite/libc.h"

#include <stdio.h>
#include <string.h>

void raddle_sym_as_list(va_list list, const uint64_t *words)
{
    struct {
        unsigned general, floating;
        const void *overflow, *saved;
    } l = {48, 304, words, NULL};
    memcpy(list, &l, sizeof l);
}

struct sink {
    char *to;
    size_t room, used;
};

struct print_conversion {
    int left, plus, space, alternate, zero, width, precision, size; /* size: bytes of the argument */
    char what;
};

static void put(struct sink *s, char c)
{
    if (s->used + 1 < s->room)
        s->to[s->used] = c;
    s->used++;
}

static void put_many(struct sink *s, char c, int n)
{
    while (n-- > 0)
        put(s, c);
}

int raddle_sym_read_size(const char **f)
{
    int size = 4;
    for (;; ++*f)
        switch (**f) {
        case 'h':
            size = size == 2 ? 1 : 2;
            break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
        case 'q':
            size = 8;
            break;
        case 'L':
            size = 16;
            break;
        default:
            return size;
        }
}

static int read_count(const char **f, const uint64_t **word)
{
    int n = 0;
    if (**f == '*') {
        ++*f;
        return (int)*(*word)++;
    }
    while (**f >= '0' && **f <= '9')
        n = 10 * n + *(*f)++ - '0';
    return n;
}

static struct print_conversion read_conversion(const char **f, const uint64_t **word)
{
    struct print_conversion c = {.precision = -1};
    for (;; ++*f) {
        c.left |= **f == '-';
        c.plus |= **f == '+';
        c.space |= **f == ' ';
        c.alternate |= **f == '#';
        c.zero |= **f == '0';
        if (!**f || !strchr("-+ #0", **f))
            break;
    }
    c.width = read_count(f, word);
    if (c.width < 0) {
        c.left = 1;
        c.width = -c.width;
    }
    if (**f == '.') {
        ++*f;
        c.precision = read_count(f, word);
    }
    c.size = raddle_sym_read_size(f);
    c.what = *(*f)++;
    return c;
}

static uint64_t whole_number(const struct print_conversion *c, uint64_t word, int *minus)
{
    int is_signed = c->what == 'd' || c->what == 'i';
    int64_t v = c->size == 1   ? (is_signed ? (int64_t)(signed char)word : (int64_t)(unsigned char)word)
                : c->size == 2 ? (is_signed ? (int64_t)(short)word : (int64_t)(unsigned short)word)
                : c->size == 4 ? (is_signed ? (int64_t)(int)word : (int64_t)(unsigned)word)
                               : (int64_t)word;
    *minus = is_signed && v < 0;
    return *minus ? 0 - (uint64_t)v : (uint64_t)v;
}

static void put_number(struct sink *s, const struct print_conversion *c, uint64_t word)
{
    char digits[32], sign = 0;
    int n = 0, minus, base = c->what == 'o' ? 8 : c->what == 'x' || c->what == 'X' ? 16 : 10;
    uint64_t v = whole_number(c, word, &minus);
    int prefix = c->alternate && base == 16 && v != 0;
    while (v) {
        char d = (char)(v % (uint64_t)base);
        digits[n++] = (char)(d < 10 ? '0' + d : (c->what == 'X' ? 'A' : 'a') + d - 10);
        v /= (uint64_t)base;
    }
    if (minus)
        sign = '-';
    else if ((c->what == 'd' || c->what == 'i') && (c->plus || c->space))
        sign = c->plus ? '+' : ' ';
    int zeros = c->precision >= 0 ? c->precision - n : n ? 0 : 1;
    if (c->alternate && base == 8 && zeros <= 0)
        zeros = 1;
    zeros = zeros > 0 ? zeros : 0;
    int rest = c->width - n - zeros - (sign != 0) - 2 * prefix;
    if (c->zero && !c->left && c->precision < 0 && rest > 0) {
        zeros += rest;
        rest = 0;
    }
    if (!c->left)
        put_many(s, ' ', rest);
    if (sign)
        put(s, sign);
    if (prefix) {
        put(s, '0');
        put(s, c->what);
    }
    put_many(s, '0', zeros);
    while (n)
        put(s, digits[--n]);
    if (c->left)
        put_many(s, ' ', rest);
}

static void put_text(struct sink *s, const struct print_conversion *c, const char *text)
{
    int n = 0;
    text = text ? text : "(null)";
    while ((c->precision < 0 || n < c->precision) && text[n])
        n++;
    if (!c->left)
        put_many(s, ' ', c->width - n);
    for (int i = 0; i < n; i++)
        put(s, text[i]);
    if (c->left)
        put_many(s, ' ', c->width - n);
}

/* Does the format have nothing but whole numbers, characters and strings? */
static int is_followed(const char *format)
{
    for (const char *f = format; *f;) {
        if (*f++ != '%')
            continue;
        while (*f && strchr("-+ #0123456789.*hljztq", *f))
            f++;
        if (!*f || !strchr("diuxXocs%", *f))
            return 0;
        f++;
    }
    return 1;
}

static void put_one(struct sink *s, const struct print_conversion *c, const uint64_t **word)
{
    if (c->what == '%') {
        put(s, '%');
    } else if (c->what == 'c') {
        if (!c->left)
            put_many(s, ' ', c->width - 1);
        put(s, (char)*(*word)++);
        if (c->left)
            put_many(s, ' ', c->width - 1);
    } else if (c->what == 's') {
        put_text(s, c, (const char *)*(*word)++);
    } else {
        put_number(s, c, *(*word)++);
    }
}

static int print(char *to, size_t room, const char *format, const uint64_t *word)
{
    struct sink s = {to, room, 0};
    va_list list;
    int followed = !PLAIN() && is_followed(format);
    if (!followed) {
        if (!PLAIN())
            raddle_sym_lost();
        raddle_sym_as_list(list, word);
        return vsnprintf(to, room, format, list);
    }
    for (const char *f = format; *f;) {
        if (*f != '%') {
            put(&s, *f++);
            continue;
        }
        f++;
        struct print_conversion c = read_conversion(&f, &word);
        put_one(&s, &c, &word);
    }
    if (room)
        to[s.used < room ? s.used : room - 1] = 0;
    return (int)s.used;
}

OWN(int, snprintf, (char *to, size_t room, const char *format, const uint64_t *words))
{
    return print(to, room, format, words);
}

OWN(int, sprintf, (char *to, const char *format, const uint64_t *words))
{
    return print(to, (size_t)-1 >> 1, format, words);
}

int raddle_sym_is_output(int fd)
{
    return fd == 1 || fd == 2;
}

/* What goes where it can be read again becomes concrete. */
static void give_away(int fd, const char *format, const uint64_t *words)
{
    char text[1024];
    if (PLAIN() || raddle_sym_is_output(fd))
        return;
    if (!is_followed(format)) {
        raddle_sym_pointer(0, (uintptr_t)words);
        return;
    }
    int n = print(text, sizeof text, format, words);
    if (n >= (int)sizeof text)
        raddle_sym_lost();
    else if (n > 0)
        raddle_sym_force_memory((uintptr_t)text, (uint64_t)n);
}

/* These print as ever. The rewriter calls them where the program looks at the result, the number of
 * characters, which follows from the arguments unless printing failed; or where they may not only print. */
OWN(int, fprintf, (FILE * f, const char *format, const uint64_t *words))
{
    va_list list;
    give_away(fileno(f), format, words);
    raddle_sym_as_list(list, words);
    int n = vfprintf(f, format, list);
    return n < 0 ? n : print(NULL, 0, format, words);
}

OWN(int, printf, (const char *format, const uint64_t *words))
{
    return raddle_sym_fprintf(stdout, format, words);
}

OWN(int, dprintf, (int fd, const char *format, const uint64_t *words))
{
    va_list list;
    give_away(fd, format, words);
    raddle_sym_as_list(list, words);
    int n = vdprintf(fd, format, list);
    return n < 0 ? n : print(NULL, 0, format, words);
}
