/* The rarer memory and string functions; see strings.c. */
#include "rt/core/interpose.h"
#include "rt/posix/strings.h"

#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

/* ---- writing ---------------------------------------------------------------------------------- */

RT_EXPORT void *memccpy(void *restrict to, const void *restrict from, int last, size_t n)
{
    if (strings_watched(RT_PC())) {
        const char *found = strings_real.memchr(from, last, n);
        size_t copied = found ? (size_t)(found - (const char *)from) + 1 : n;
        strings_read(from, copied, RT_PC());
        strings_write(to, copied, RT_PC());
    }
    return REAL(memccpy)(to, from, last, n);
}

RT_EXPORT void explicit_bzero(void *to, size_t n)
{
    strings_write(to, n, RT_PC());
    REAL(explicit_bzero)(to, n);
}

RT_EXPORT void *memfrob(void *to, size_t n)
{
    strings_write(to, n, RT_PC());
    return REAL(memfrob)(to, n);
}

RT_EXPORT void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    if (n > 1) {
        strings_read(from, (size_t)n & ~1ul, RT_PC());
        strings_write(to, (size_t)n & ~1ul, RT_PC());
    }
    REAL(swab)(from, to, n);
}

RT_EXPORT size_t strxfrm(char *restrict to, const char *restrict from, size_t room)
{
    strings_read_text(from, SIZE_MAX, RT_PC());
    size_t n = REAL(strxfrm)(to, from, room);
    if (n < room)
        strings_write(to, n + 1, RT_PC());
    return n;
}

/* What follows the piece was a delimiter and is a zero now; the place where the next begins is kept. */
static char *cut(char *piece, char **rest, uintptr_t pc)
{
    strings_write(rest, sizeof *rest, pc);
    if (piece && strings_watched(pc))
        strings_write(piece, strings_real.strlen(piece) + 1, pc);
    return piece;
}

RT_EXPORT char *strings_token(char *restrict s, const char *restrict delimiters, char **restrict rest)
    __asm__("strtok_r");
char *strings_token(char *restrict s, const char *restrict delimiters, char **restrict rest)
{
    return cut(REAL(strtok_r)(s, delimiters, rest), rest, RT_PC());
}

RT_EXPORT char *strsep(char **restrict rest, const char *restrict delimiters)
{
    return cut(REAL(strsep)(rest, delimiters), rest, RT_PC());
}

/* ---- looking ---------------------------------------------------------------------------------- */

RT_EXPORT void *memrchr(const void *s, int c, size_t n)
{
    if (strings_watched(RT_PC())) {
        const char *found = REAL(memrchr)(s, c, n), *from = found ? found : s;
        strings_read(from, n - (size_t)(from - (const char *)s), RT_PC());
    }
    return REAL(memrchr)(s, c, n);
}

RT_EXPORT void *rawmemchr(const void *s, int c)
{
    if (strings_watched(RT_PC()))
        strings_read(s, (size_t)((char *)REAL(rawmemchr)(s, c) - (const char *)s) + 1, RT_PC());
    return REAL(rawmemchr)(s, c);
}

RT_EXPORT void *memmem(const void *s, size_t n, const void *what, size_t length)
{
    if (strings_watched(RT_PC())) {
        const char *found = REAL(memmem)(s, n, what, length);
        strings_read(what, length, RT_PC());
        strings_read(s, found ? (size_t)(found - (const char *)s) + length : n, RT_PC());
    }
    return REAL(memmem)(s, n, what, length);
}

RT_EXPORT char *strchrnul(const char *s, int c)
{
    if (strings_watched(RT_PC()))
        strings_read(s, (size_t)(REAL(strchrnul)(s, c) - s) + 1, RT_PC());
    return REAL(strchrnul)(s, c);
}

RT_EXPORT char *strcasestr(const char *s, const char *what)
{
    if (strings_watched(RT_PC())) {
        size_t n = strings_real.strlen(what);
        const char *found = REAL(strcasestr)(s, what);
        strings_read(what, n + 1, RT_PC());
        strings_read(s, found ? (size_t)(found - s) + n : strings_real.strlen(s) + 1, RT_PC());
    }
    return REAL(strcasestr)(s, what);
}

/* Up to the first byte that is not of the set, or is; and the set. */
#define SPAN(name)                                                                                 \
    RT_EXPORT size_t name(const char *s, const char *set)                                          \
    {                                                                                              \
        strings_read_text(set, SIZE_MAX, RT_PC());                                                 \
        if (strings_watched(RT_PC()))                                                              \
            strings_read(s, REAL(name)(s, set) + 1, RT_PC());                                      \
        return REAL(name)(s, set);                                                                 \
    }
SPAN(strspn)
SPAN(strcspn)

RT_EXPORT char *strpbrk(const char *s, const char *set)
{
    strings_read_text(set, SIZE_MAX, RT_PC());
    if (strings_watched(RT_PC()))
        strings_read(s, REAL(strcspn)(s, set) + 1, RT_PC());
    return REAL(strpbrk)(s, set);
}

#define COMPARE(name)                                                                              \
    RT_EXPORT int name(const char *a, const char *b)                                               \
    {                                                                                              \
        strings_read_text(a, SIZE_MAX, RT_PC());                                                   \
        strings_read_text(b, SIZE_MAX, RT_PC());                                                   \
        return REAL(name)(a, b);                                                                   \
    }
COMPARE(strcoll)
COMPARE(strverscmp)

/* ---- wide characters -------------------------------------------------------------------------- */

#define WIDE sizeof(wchar_t)

void strings_read_wide(const wchar_t *s, uintptr_t pc)
{
    if (strings_watched(pc))
        strings_read(s, (REAL(wcslen)(s) + 1) * WIDE, pc);
}

RT_EXPORT size_t wcslen(const wchar_t *s)
{
    strings_read_wide(s, RT_PC());
    return REAL(wcslen)(s);
}

RT_EXPORT wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    strings_read_wide(from, RT_PC());
    if (strings_watched(RT_PC()))
        strings_write(to, (REAL(wcslen)(from) + 1) * WIDE, RT_PC());
    return REAL(wcscpy)(to, from);
}

RT_EXPORT wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    strings_read(from, n * WIDE, RT_PC());
    strings_write(to, n * WIDE, RT_PC());
    return REAL(wmemcpy)(to, from, n);
}

RT_EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    strings_read(from, n * WIDE, RT_PC());
    strings_write(to, n * WIDE, RT_PC());
    return REAL(wmemmove)(to, from, n);
}

RT_EXPORT wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    strings_write(to, n * WIDE, RT_PC());
    return REAL(wmemset)(to, c, n);
}

RT_EXPORT size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t room)
{
    strings_read_text(from, SIZE_MAX, RT_PC());
    size_t n = REAL(mbstowcs)(to, from, room);
    if (to && n != (size_t)-1)
        strings_write(to, (n + (n < room)) * WIDE, RT_PC());
    return n;
}

RT_EXPORT size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t room)
{
    strings_read_wide(from, RT_PC());
    size_t n = REAL(wcstombs)(to, from, room);
    if (to && n != (size_t)-1)
        strings_write(to, n + (n < room), RT_PC());
    return n;
}
