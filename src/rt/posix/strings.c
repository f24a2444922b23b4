/* The memory and string functions of libc, for the checkers: an uninstrumented memcpy would hide its
 * accesses from the race check and the heap's shadow. Each announces exactly the bytes that the
 * function by its definition looks at (a comparison up to the first difference, a search up to what
 * it finds), then libc's own does the work.
 *
 * An access may be a scheduling point (access_range), after which the bytes may be others: lengths
 * are therefore measured again after each announcement.
 *
 * libc's functions are looked up by a constructor; until then simple loops stand in, because ld.so
 * and other constructors already call us. */
#include "rt/posix/strings.h"

#include "rt/check/heap.h"

#include <ctype.h>

/* ---- until libc's are known ------------------------------------------------------------------- */

#define NO_IDIOM __asm__("" ::: "memory") /* a loop that the compiler must not call memcpy for */

static void *simple_memcpy(void *restrict to, const void *restrict from, size_t n)
{
    rt_copy(to, from, n);
    return to;
}

static void *simple_memmove(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if ((uintptr_t)to - (uintptr_t)from >= n)
        return simple_memcpy(to, from, n);
    while (n--) {
        t[n] = f[n];
        NO_IDIOM;
    }
    return to;
}

static void *simple_memset(void *to, int byte, size_t n)
{
    rt_fill(to, byte, n);
    return to;
}

static int simple_memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

static void *simple_memchr(const void *s, int c, size_t n)
{
    for (const unsigned char *p = s; n--; p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    return NULL;
}

static size_t simple_strnlen(const char *s, size_t limit)
{
    size_t n = 0;
    while (n < limit && s[n]) {
        n++;
        NO_IDIOM;
    }
    return n;
}

static size_t simple_strlen(const char *s)
{
    return simple_strnlen(s, SIZE_MAX);
}

static int simple_strncmp(const char *a, const char *b, size_t n)
{
    for (; n && *a && *a == *b; n--)
        a++, b++;
    return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

static int simple_strcmp(const char *a, const char *b)
{
    return simple_strncmp(a, b, SIZE_MAX);
}

static int fold(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static int simple_strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n && *a && fold((unsigned char)*a) == fold((unsigned char)*b); n--)
        a++, b++;
    return n ? fold((unsigned char)*a) - fold((unsigned char)*b) : 0;
}

static int simple_strcasecmp(const char *a, const char *b)
{
    return simple_strncasecmp(a, b, SIZE_MAX);
}

static char *simple_strchr(const char *s, int c)
{
    return simple_memchr(s, c, simple_strlen(s) + 1);
}

static char *simple_strrchr(const char *s, int c)
{
    for (size_t n = simple_strlen(s) + 1; n--;)
        if (s[n] == (char)c)
            return (char *)s + n;
    return NULL;
}

static char *simple_strstr(const char *s, const char *what)
{
    size_t n = simple_strlen(what);
    for (; *s || !n; s++)
        if (!simple_strncmp(s, what, n))
            return (char *)s;
    return NULL;
}

struct strings_real strings_real = {
#define FIELD(name) .name = simple_##name,
    STRINGS_REAL(FIELD)
#undef FIELD
};
#define real strings_real

static __attribute__((constructor(101))) void find_real(void)
{
#define FIELD(name) real.name = rt_real(#name);
    STRINGS_REAL(FIELD)
#undef FIELD
}

/* ---- copying ---------------------------------------------------------------------------------- */

void *strings_copy(void *to, const void *from, size_t n, uintptr_t pc)
{
    strings_read(from, n, pc);
    strings_write(to, n, pc);
    return real.memcpy(to, from, n);
}

void *strings_move(void *to, const void *from, size_t n, uintptr_t pc)
{
    strings_read(from, n, pc);
    strings_write(to, n, pc);
    return real.memmove(to, from, n);
}

void *strings_set(void *to, int byte, size_t n, uintptr_t pc)
{
    strings_write(to, n, pc);
    return real.memset(to, byte, n);
}

RT_EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return strings_copy(to, from, n, RT_PC());
}

RT_EXPORT void *memmove(void *to, const void *from, size_t n)
{
    return strings_move(to, from, n, RT_PC());
}

RT_EXPORT void *memset(void *to, int byte, size_t n)
{
    return strings_set(to, byte, n, RT_PC());
}

RT_EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return (char *)strings_copy(to, from, n, RT_PC()) + n;
}

RT_EXPORT void bcopy(const void *from, void *to, size_t n)
{
    strings_move(to, from, n, RT_PC());
}

RT_EXPORT void bzero(void *to, size_t n)
{
    strings_set(to, 0, n, RT_PC());
}

/* The names under which clang calls them in instrumented code. */
RT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n);
RT_EXPORT void *__tsan_memmove(void *to, const void *from, size_t n);
RT_EXPORT void *__tsan_memset(void *to, int byte, size_t n);

void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    return strings_copy(to, from, n, RT_PC());
}

void *__tsan_memmove(void *to, const void *from, size_t n)
{
    return strings_move(to, from, n, RT_PC());
}

void *__tsan_memset(void *to, int byte, size_t n)
{
    return strings_set(to, byte, n, RT_PC());
}

char *strings_put(char *to, const char *from, uintptr_t pc)
{
    if (strings_watched(pc)) {
        strings_read(from, real.strlen(from) + 1, pc);
        strings_write(to, real.strlen(from) + 1, pc);
    }
    size_t n = real.strlen(from);
    real.memcpy(to, from, n + 1);
    return to + n;
}

/* A string of at most `limit` bytes, the zero at its end included. */
void strings_read_text(const char *s, size_t limit, uintptr_t pc)
{
    if (strings_watched(pc)) {
        size_t n = real.strnlen(s, limit);
        strings_read(s, n < limit ? n + 1 : limit, pc);
    }
}

/* As stpncpy: fills up with zeros. */
char *strings_put_n(char *to, const char *from, size_t n, uintptr_t pc)
{
    strings_read_text(from, n, pc);
    strings_write(to, n, pc);
    size_t len = real.strnlen(from, n);
    real.memcpy(to, from, len);
    real.memset(to + len, 0, n - len);
    return to + len;
}

/* As strncat. */
char *strings_append(char *to, const char *from, size_t limit, uintptr_t pc)
{
    if (strings_watched(pc)) {
        strings_read_text(from, limit, pc);
        strings_read_text(to, SIZE_MAX, pc);
        strings_write(to + real.strlen(to), real.strnlen(from, limit) + 1, pc);
    }
    char *end = to + real.strlen(to);
    size_t len = real.strnlen(from, limit);
    real.memcpy(end, from, len);
    end[len] = 0;
    return to;
}

RT_EXPORT char *strcpy(char *restrict to, const char *restrict from)
{
    strings_put(to, from, RT_PC());
    return to;
}

RT_EXPORT char *stpcpy(char *restrict to, const char *restrict from)
{
    return strings_put(to, from, RT_PC());
}

RT_EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    strings_put_n(to, from, n, RT_PC());
    return to;
}

RT_EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    return strings_put_n(to, from, n, RT_PC());
}

RT_EXPORT char *strcat(char *restrict to, const char *restrict from)
{
    return strings_append(to, from, SIZE_MAX, RT_PC());
}

RT_EXPORT char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    return strings_append(to, from, n, RT_PC());
}

static char *duplicate(const char *s, size_t limit, uintptr_t pc)
{
    strings_read_text(s, limit, pc);
    size_t n = real.strnlen(s, limit);
    char *new = heap_allocate(n + 1, 16, pc);
    if (new) {
        strings_write(new, n + 1, pc);
        real.memcpy(new, s, n);
        new[n] = 0;
    }
    return new;
}

RT_EXPORT char *strdup(const char *s)
{
    return duplicate(s, SIZE_MAX, RT_PC());
}

RT_EXPORT char *strndup(const char *s, size_t n)
{
    return duplicate(s, n, RT_PC());
}

/* ---- looking ---------------------------------------------------------------------------------- */

RT_EXPORT size_t strlen(const char *s)
{
    strings_read_text(s, SIZE_MAX, RT_PC());
    return real.strlen(s);
}

RT_EXPORT size_t strnlen(const char *s, size_t limit)
{
    strings_read_text(s, limit, RT_PC());
    return real.strnlen(s, limit);
}

static void read_until(const void *s, const void *found, size_t otherwise, uintptr_t pc)
{
    strings_read(s, found ? (size_t)((const char *)found - (const char *)s) + 1 : otherwise, pc);
}

RT_EXPORT void *memchr(const void *s, int c, size_t n)
{
    uintptr_t pc = RT_PC();
    if (strings_watched(pc))
        read_until(s, real.memchr(s, c, n), n, pc);
    return real.memchr(s, c, n);
}

RT_EXPORT char *strchr(const char *s, int c)
{
    uintptr_t pc = RT_PC();
    if (strings_watched(pc))
        read_until(s, real.strchr(s, c), real.strlen(s) + 1, pc);
    return real.strchr(s, c);
}

RT_EXPORT char *strrchr(const char *s, int c)
{
    strings_read_text(s, SIZE_MAX, RT_PC());
    return real.strrchr(s, c);
}

RT_EXPORT char *strstr(const char *s, const char *what)
{
    uintptr_t pc = RT_PC();
    if (strings_watched(pc)) {
        size_t n = real.strlen(what);
        const char *found = real.strstr(s, what);
        strings_read(what, n + 1, pc);
        strings_read(s, found ? (size_t)(found - s) + n : real.strlen(s) + 1, pc);
    }
    return real.strstr(s, what);
}

/* ---- comparing -------------------------------------------------------------------------------- */

/* Bytes looked at by a comparison of at most n: up to the first difference or, in strings, the end. */
static size_t compared(const void *a, const void *b, size_t n, bool string, int (*map)(int))
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if ((map ? map(x[i]) != map(y[i]) : x[i] != y[i]) || (string && !x[i]))
            return i + 1;
    return n;
}

static void read_both(const void *a, const void *b, size_t n, bool string, int (*map)(int),
                      uintptr_t pc)
{
    if (!strings_watched(pc))
        return;
    strings_read(a, compared(a, b, n, string, map), pc);
    strings_read(b, compared(a, b, n, string, map), pc);
}

RT_EXPORT int memcmp(const void *a, const void *b, size_t n)
{
    read_both(a, b, n, false, NULL, RT_PC());
    return real.memcmp(a, b, n);
}

RT_EXPORT int bcmp(const void *a, const void *b, size_t n)
{
    read_both(a, b, n, false, NULL, RT_PC());
    return real.memcmp(a, b, n);
}

RT_EXPORT int strcmp(const char *a, const char *b)
{
    read_both(a, b, SIZE_MAX, true, NULL, RT_PC());
    return real.strcmp(a, b);
}

RT_EXPORT int strncmp(const char *a, const char *b, size_t n)
{
    read_both(a, b, n, true, NULL, RT_PC());
    return real.strncmp(a, b, n);
}

RT_EXPORT int strcasecmp(const char *a, const char *b)
{
    read_both(a, b, SIZE_MAX, true, tolower, RT_PC());
    return real.strcasecmp(a, b);
}

RT_EXPORT int strncasecmp(const char *a, const char *b, size_t n)
{
    read_both(a, b, n, true, tolower, RT_PC());
    return real.strncasecmp(a, b, n);
}
