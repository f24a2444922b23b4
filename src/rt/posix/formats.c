/* What printf and its kin read for the program: the texts among their arguments. libc's own reads the same
 * arguments afterwards; of a format with positions (%1$s) nothing is announced. */
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

struct directive {
    int precision; /* -1: none */
    char length;   /* h, l, L, j, z, t; H = hh, q = ll; 0 = none */
    char kind;     /* 0: the format ends, or says something unusual */
};

static bool among(char c, const char *letters)
{
    return c && strings_real.strchr(letters, c);
}

/* A number or, for a star, the next argument. */
static const char *read_count(const char *f, va_list *args, int *count)
{
    if (*f == '*') {
        *count = va_arg(*args, int);
        return f + 1;
    }
    for (*count = 0; *f >= '0' && *f <= '9'; f++)
        *count = *count > 100000000 ? *count : *count * 10 + *f - '0';
    return f;
}

static const char *next_directive(const char *f, va_list *args, struct directive *d)
{
    int width;
    *d = (struct directive){.precision = -1};
    while (*f && (f[0] != '%' || f[1] == '%'))
        f += 1 + (f[0] == '%');
    if (!*f++)
        return f - 1;
    while (among(*f, "-+ #0'I"))
        f++;
    f = read_count(f, args, &width);
    if (*f == '.')
        f = read_count(f + 1, args, &d->precision);
    if (among(*f, "hlLjztqZ")) {
        bool twice = f[1] == f[0];
        d->length = !twice ? *f : *f == 'h' ? 'H' : 'q';
        f += 1 + twice;
    }
    d->kind = *f == '$' ? 0 : *f;
    return *f ? f + 1 : f;
}

static void read_text(const struct directive *d, va_list *args, uintptr_t pc)
{
    size_t limit = d->precision < 0 ? SIZE_MAX : (size_t)d->precision;
    const char *s = va_arg(*args, const char *);
    if (s && d->length != 'l' && d->kind == 's')
        strings_read_text(s, limit, pc);
}

static void skip_integer(const struct directive *d, va_list *args)
{
    if (among(d->length, "lqjztZL"))
        (void)va_arg(*args, long);
    else
        (void)va_arg(*args, int);
}

/* Takes the argument of one directive; false: what it is, is not known. */
static bool take(const struct directive *d, va_list *args, uintptr_t pc)
{
    if (among(d->kind, "diouxXcC"))
        skip_integer(d, args);
    else if (among(d->kind, "eEfFgGaA") && d->length == 'L')
        (void)va_arg(*args, long double);
    else if (among(d->kind, "eEfFgGaA"))
        (void)va_arg(*args, double);
    else if (among(d->kind, "sS"))
        read_text(d, args, pc);
    else if (among(d->kind, "pn"))
        (void)va_arg(*args, void *);
    else
        return d->kind == 'm';
    return true;
}

void strings_read_format(const char *format, va_list args, uintptr_t pc)
{
    if (!strings_watched(pc))
        return;
    struct directive d;
    va_list again;
    va_copy(again, args);
    do
        format = next_directive(format, &again, &d);
    while (d.kind && take(&d, &again, pc));
    va_end(again);
}

/* ---- what is not in buffers.c and file_steps.c ------------------------------------------------- */

/* The header has it inline, too. */
RT_EXPORT int formats_vprintf(const char *restrict format, va_list args) __asm__("vprintf");
int formats_vprintf(const char *restrict format, va_list args)
{
    strings_read_format(format, args, RT_PC());
    file_step_stream(stdout, RT_PC());
    return REAL(vfprintf)(stdout, format, args);
}

RT_EXPORT int printf(const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    strings_read_format(format, args, RT_PC());
    file_step_stream(stdout, RT_PC());
    int written = REAL(vfprintf)(stdout, format, args);
    va_end(args);
    return written;
}

static int print_new(char **to, const char *format, va_list args, uintptr_t pc)
{
    strings_read_format(format, args, pc);
    int written = REAL(vasprintf)(to, format, args);
    strings_write(to, sizeof *to, pc);
    return written;
}

RT_EXPORT int vasprintf(char **restrict to, const char *restrict format, va_list args)
{
    return print_new(to, format, args, RT_PC());
}

RT_EXPORT int asprintf(char **restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int written = print_new(to, format, args, RT_PC());
    va_end(args);
    return written;
}

RT_EXPORT void perror(const char *s)
{
    if (s)
        strings_read_text(s, SIZE_MAX, RT_PC());
    REAL(perror)(s);
}
