/* What else functions of libc read and write for the program, beside strings.c and buffers.c: the
 * variables of scanf, lines of getline, arrays that are sorted. How much came in is known only
 * afterwards, so it is announced then. */
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* ---- scanf ------------------------------------------------------------------------------------ */

struct conversion {
    size_t width;   /* 0 = none was given */
    char length;    /* h, l, L, j, z, t; H = hh, q = ll; 0 = none */
    char kind;      /* 0: the format ends, or says something unusual */
    bool suppressed, allocates;
};

static const char *read_length(const char *f, char *length)
{
    static const char letters[] = "hlLjztq";
    if (!*f || !strings_real.strchr(letters, *f))
        return f;
    bool twice = f[1] == f[0];
    *length = !twice ? *f : *f == 'h' ? 'H' : 'q';
    return f + 1 + twice;
}

/* [a-z]: up to the bracket that closes it. */
static const char *skip_set(const char *f)
{
    f += *f == '^';
    f += *f == ']';
    while (*f && *f != ']')
        f++;
    return f + (*f == ']');
}

/* The next conversion of the format; what follows it. */
static const char *next_conversion(const char *f, struct conversion *c)
{
    *c = (struct conversion){0};
    while (*f && (f[0] != '%' || f[1] == '%'))
        f += 1 + (f[0] == '%');
    if (!*f++)
        return f - 1;
    c->suppressed = *f == '*';
    f += c->suppressed;
    while (*f >= '0' && *f <= '9')
        c->width = c->width * 10 + (size_t)(*f++ - '0');
    c->allocates = *f == 'm';
    f = read_length(f + c->allocates, &c->length);
    c->kind = *f;
    if (*f == '[')
        return skip_set(f + 1);
    return *f ? f + 1 : f;
}

static size_t size_of_number(char length)
{
    switch (length) {
    case 'H':
        return sizeof(char);
    case 'h':
        return sizeof(short);
    case 'l': case 'q': case 'j': case 'z': case 't': case 'L':
        return sizeof(long);
    default:
        return sizeof(int);
    }
}

/* The bytes that a conversion has left at `to`. */
static size_t size_written(const struct conversion *c, const void *to)
{
    if (c->allocates)
        return sizeof(char *);
    switch (c->kind) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'n':
        return size_of_number(c->length);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return c->length == 'L' ? sizeof(long double) : c->length ? sizeof(double) : sizeof(float);
    case 'p':
        return sizeof(void *);
    case 'c':
        return (c->width ? c->width : 1) * (c->length == 'l' ? sizeof(wchar_t) : 1);
    case 's': case '[':
        return c->length == 'l' ? (wcslen(to) + 1) * sizeof(wchar_t) : strings_real.strlen(to) + 1;
    default:
        return 0;
    }
}

/* `got` conversions were made. */
static int scanned(int got, const char *format, va_list args, uintptr_t pc)
{
    struct conversion c;
    int left = got;
    if (!strings_watched(pc))
        return got;
    strings_read_text(format, SIZE_MAX, pc);
    while (left > 0 && (format = next_conversion(format, &c), c.kind)) {
        if (c.suppressed)
            continue;
        const void *to = va_arg(args, const void *);
        size_t n = size_written(&c, to);
        if (!n)
            break; /* not known: positions, extensions */
        strings_write(to, n, pc);
        left -= c.kind != 'n';
    }
    return got;
}

/* Under their names of C99 and C23 (those of C89: aliases.c); which one a program calls is up to the
 * headers. */
#define SCAN(vscan, from, format, last)                                                            \
    ({                                                                                             \
        va_list args, again;                                                                       \
        last(args);                                                                                \
        va_copy(again, args);                                                                      \
        int got = scanned(REAL(vscan)(from, format, args), format, again, RT_PC());                \
        va_end(again);                                                                             \
        va_end(args);                                                                              \
        got;                                                                                       \
    })
#define GIVEN(args) va_copy(args, given)
#define DOTS(args) va_start(args, format)

#define SCANNERS(prefix)                                                                           \
    RT_EXPORT int prefix##vfscanf(FILE *file, const char *format, va_list given);                  \
    RT_EXPORT int prefix##vscanf(const char *format, va_list given);                               \
    RT_EXPORT int prefix##vsscanf(const char *from, const char *format, va_list given);            \
    RT_EXPORT int prefix##fscanf(FILE *file, const char *format, ...);                             \
    RT_EXPORT int prefix##scanf(const char *format, ...);                                          \
    RT_EXPORT int prefix##sscanf(const char *from, const char *format, ...);                       \
    int prefix##vfscanf(FILE *file, const char *format, va_list given)                             \
    {                                                                                              \
        file_step_stream(file, RT_PC());                                                           \
        return SCAN(prefix##vfscanf, file, format, GIVEN);                                         \
    }                                                                                              \
    int prefix##vscanf(const char *format, va_list given)                                          \
    {                                                                                              \
        file_step_stream(stdin, RT_PC());                                                          \
        return SCAN(prefix##vfscanf, stdin, format, GIVEN);                                        \
    }                                                                                              \
    int prefix##vsscanf(const char *from, const char *format, va_list given)                       \
    {                                                                                              \
        strings_read_text(from, SIZE_MAX, RT_PC());                                                \
        return SCAN(prefix##vsscanf, from, format, GIVEN);                                         \
    }                                                                                              \
    int prefix##fscanf(FILE *file, const char *format, ...)                                        \
    {                                                                                              \
        file_step_stream(file, RT_PC());                                                           \
        return SCAN(prefix##vfscanf, file, format, DOTS);                                          \
    }                                                                                              \
    int prefix##scanf(const char *format, ...)                                                     \
    {                                                                                              \
        file_step_stream(stdin, RT_PC());                                                          \
        return SCAN(prefix##vfscanf, stdin, format, DOTS);                                         \
    }                                                                                              \
    int prefix##sscanf(const char *from, const char *format, ...)                                  \
    {                                                                                              \
        strings_read_text(from, SIZE_MAX, RT_PC());                                                \
        return SCAN(prefix##vsscanf, from, format, DOTS);                                          \
    }

SCANNERS(__isoc99_)
SCANNERS(__isoc23_)

/* ---- lines and arrays ------------------------------------------------------------------------- */

static ssize_t read_line(char **line, size_t *room, int end, FILE *file, uintptr_t pc)
{
    file_step_stream(file, pc);
    ssize_t got = REAL(getdelim)(line, room, end, file);
    strings_write(line, sizeof *line, pc);
    strings_write(room, sizeof *room, pc);
    if (got >= 0)
        strings_write(*line, (size_t)got + 1, pc);
    return got;
}

RT_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict file)
{
    return read_line(line, room, end, file, RT_PC());
}

/* The headers define it inline; so another name here. */
RT_EXPORT ssize_t scan_getline(char **line, size_t *room, FILE *file) __asm__("getline");
ssize_t scan_getline(char **line, size_t *room, FILE *file)
{
    return read_line(line, room, '\n', file, RT_PC());
}

RT_EXPORT void qsort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    strings_write(array, n * size, RT_PC());
    REAL(qsort)(array, n, size, compare);
}

RT_EXPORT void qsort_r(void *array, size_t n, size_t size,
                       int (*compare)(const void *, const void *, void *), void *arg)
{
    strings_write(array, n * size, RT_PC());
    REAL(qsort_r)(array, n, size, compare, arg);
}
