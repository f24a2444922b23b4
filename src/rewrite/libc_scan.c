/* sscanf, fscanf and scanf for programs with symbolic inputs, as libc.c: whole numbers, characters and
 * strings keep their expressions. */
#include "rewrite/libc.h"

#include <stdio.h>
#include <string.h>

struct source {
    const char *s; /* or: */
    FILE *f;
    int taken;
};

static int take(struct source *in)
{
    int c = in->f ? raddle_sym_fgetc(in->f) : *in->s ? (unsigned char)*in->s++ : EOF;
    in->taken += c != EOF;
    return c;
}

static void give_back(struct source *in, int c)
{
    if (c == EOF)
        return;
    in->taken--;
    if (in->f)
        raddle_sym_ungetc(c, in->f);
    else
        in->s--;
}

static int skip_space(struct source *in)
{
    int c;
    while (raddle_sym_is_space(c = take(in)))
        ;
    give_back(in, c);
    return c;
}

static int at_end(struct source *in)
{
    int c = take(in);
    give_back(in, c);
    return c == EOF;
}

static void store(uint64_t at, int size, uint64_t value)
{
    if (size == 1)
        *(unsigned char *)at = (unsigned char)value;
    else if (size == 2)
        *(unsigned short *)at = (unsigned short)value;
    else if (size == 4)
        *(unsigned *)at = (unsigned)value;
    else
        *(uint64_t *)at = value;
}

/* 1: there was one. */
static int scan_number(struct source *in, int base, int width, uint64_t *value)
{
    int c = take(in), minus = c == '-', any = 0;
    uint64_t v = 0;
    if ((c == '-' || c == '+') && --width)
        c = take(in);
    if (c == '0' && (base == 0 || base == 16)) {
        any = 1;
        c = --width ? take(in) : EOF;
        if ((c == 'x' || c == 'X') && width) {
            base = 16;
            c = --width ? take(in) : EOF;
        } else if (!base) {
            base = 8;
        }
    }
    base = base ? base : 10;
    for (int d; width && (d = raddle_sym_digit_of(c, base)) >= 0; c = --width ? take(in) : EOF) {
        v = v * (uint64_t)base + (uint64_t)d;
        any = 1;
    }
    give_back(in, c);
    *value = minus ? 0 - v : v;
    return any;
}

/* Is c in the set between [ and ]? *f comes to stand behind it. */
static int in_set(const char *f, const char *end, int c)
{
    int negated = *f == '^', found = 0;
    for (f += negated; f < end; f++) {
        if (f[1] == '-' && f + 2 < end) {
            found |= c >= (unsigned char)f[0] && c <= (unsigned char)f[2];
            f += 2;
        } else {
            found |= c == (unsigned char)*f;
        }
    }
    return found != negated;
}

static const char *end_of_set(const char *f)
{
    f += *f == '^';
    f += *f == ']';
    while (*f && *f != ']')
        f++;
    return f;
}

/* A word (set NULL), or characters of a set. 1: there was one. */
static int scan_text(struct source *in, int width, char *to, const char *set, const char *end)
{
    int n = 0, c = EOF;
    while (n < width) {
        c = take(in);
        if (c == EOF || (set ? !in_set(set, end, c) : raddle_sym_is_space(c)))
            break;
        if (to)
            to[n] = (char)c;
        n++;
    }
    if (n < width)
        give_back(in, c);
    if (to && n)
        to[n] = 0;
    return n > 0;
}

static int scan_characters(struct source *in, int width, char *to)
{
    for (int i = 0; i < width; i++) {
        int c = take(in);
        if (c == EOF)
            return 0;
        if (to)
            to[i] = (char)c;
    }
    return 1;
}

static int base_of(char what)
{
    return what == 'd' || what == 'u' ? 10 : what == 'i' ? 0 : what == 'o' ? 8 : 16;
}

/* What one conversion comes to; else the number of values it has stored. */
enum { NOT_THERE = -1, AT_END = -2 };

/* One conversion behind its %. */
static int scan_one(struct source *in, const char **f, const uint64_t **word)
{
    int quiet = **f == '*', width = 0, ok;
    *f += quiet;
    while (**f >= '0' && **f <= '9')
        width = 10 * width + *(*f)++ - '0';
    int size = raddle_sym_read_size(f);
    char what = *(*f)++;
    const char *set = *f, *end = what == '[' ? end_of_set(*f) : NULL;
    if (what == 'n') {
        store(*(*word)++, size, (uint64_t)in->taken);
        return 0;
    }
    uint64_t to = quiet || what == '%' ? 0 : *(*word)++, value = 0;
    if (what != 'c' && what != '[' && skip_space(in) == EOF)
        return AT_END;
    switch (what) {
    case '%':
        return take(in) == '%' ? 0 : NOT_THERE;
    case 'c':
        if (!scan_characters(in, width ? width : 1, (char *)to))
            return AT_END;
        ok = 1;
        break;
    case '[':
        *f = end + (*end == ']');
        if (at_end(in))
            return AT_END;
        ok = scan_text(in, width ? width : 1 << 30, (char *)to, set, end);
        break;
    case 's':
        ok = scan_text(in, width ? width : 1 << 30, (char *)to, NULL, NULL);
        break;
    default:
        ok = scan_number(in, base_of(what), width ? width : 1 << 30, &value);
        if (ok && !quiet)
            store(to, size, value);
    }
    return ok ? !quiet : NOT_THERE;
}

static int is_scanned(const char *format)
{
    for (const char *f = format; *f;) {
        if (*f++ != '%')
            continue;
        while (*f && strchr("*0123456789hljztq", *f))
            f++;
        if (!*f || !strchr("diuxXocs[n%", *f))
            return 0;
        f = *f == '[' ? end_of_set(f + 1) : f + 1;
    }
    return 1;
}

static int scan(struct source *in, const char *format, const uint64_t *word)
{
    int count = 0;
    for (const char *f = format; *f;) {
        if (raddle_sym_is_space(*f)) {
            skip_space(in);
            f++;
        } else if (*f != '%') {
            int c = take(in);
            if (c != (unsigned char)*f++) {
                give_back(in, c);
                return count || c != EOF ? count : EOF;
            }
        } else {
            f++;
            int got = scan_one(in, &f, &word);
            if (got < 0)
                return count || got == NOT_THERE ? count : EOF;
            count += got;
        }
    }
    return count;
}

OWN(int, sscanf, (const char *s, const char *format, const uint64_t *words))
{
    va_list list;
    if (!PLAIN() && is_scanned(format))
        return scan(&(struct source){.s = s}, format, words);
    if (!PLAIN())
        raddle_sym_lost();
    raddle_sym_as_list(list, words);
    return vsscanf(s, format, list);
}

OWN(int, fscanf, (FILE * f, const char *format, const uint64_t *words))
{
    va_list list;
    if (raddle_sym_stream(fileno(f)) && is_scanned(format))
        return scan(&(struct source){.f = f}, format, words);
    raddle_sym_as_list(list, words);
    return vfscanf(f, format, list);
}

OWN(int, scanf, (const char *format, const uint64_t *words))
{
    return raddle_sym_fscanf(stdin, format, words);
}
