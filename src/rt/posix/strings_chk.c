/* The same functions as programs built with _FORTIFY_SOURCE call them: `room` is what the compiler
 * knows of the size of the destination. What does not fit is left to libc, which aborts. */
#include "rt/posix/strings.h"

static bool string_fits(const char *s, size_t limit, size_t before, size_t room)
{
    return before < room && strings_real.strnlen(s, limit) < room - before;
}

#define OVERFLOW(name, ...)                                                                        \
    do {                                                                                           \
        static __typeof__(&name) real;                                                             \
        if (!real)                                                                                 \
            real = rt_real(#name);                                                                 \
        return real(__VA_ARGS__);                                                                  \
    } while (0)

#define PROTOTYPE(result, name, ...) RT_EXPORT result name(__VA_ARGS__)
PROTOTYPE(void *, __memcpy_chk, void *to, const void *from, size_t n, size_t room);
PROTOTYPE(void *, __memmove_chk, void *to, const void *from, size_t n, size_t room);
PROTOTYPE(void *, __mempcpy_chk, void *to, const void *from, size_t n, size_t room);
PROTOTYPE(void *, __memset_chk, void *to, int byte, size_t n, size_t room);
PROTOTYPE(char *, __strcpy_chk, char *to, const char *from, size_t room);
PROTOTYPE(char *, __stpcpy_chk, char *to, const char *from, size_t room);
PROTOTYPE(char *, __strncpy_chk, char *to, const char *from, size_t n, size_t room);
PROTOTYPE(char *, __stpncpy_chk, char *to, const char *from, size_t n, size_t room);
PROTOTYPE(char *, __strcat_chk, char *to, const char *from, size_t room);
PROTOTYPE(char *, __strncat_chk, char *to, const char *from, size_t n, size_t room);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__memcpy_chk, to, from, n, room);
    return strings_copy(to, from, n, RT_PC());
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__memmove_chk, to, from, n, room);
    return strings_move(to, from, n, RT_PC());
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__mempcpy_chk, to, from, n, room);
    return (char *)strings_copy(to, from, n, RT_PC()) + n;
}

void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__memset_chk, to, byte, n, room);
    return strings_set(to, byte, n, RT_PC());
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
    if (!string_fits(from, SIZE_MAX, 0, room))
        OVERFLOW(__strcpy_chk, to, from, room);
    strings_put(to, from, RT_PC());
    return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    if (!string_fits(from, SIZE_MAX, 0, room))
        OVERFLOW(__stpcpy_chk, to, from, room);
    return strings_put(to, from, RT_PC());
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__strncpy_chk, to, from, n, room);
    strings_put_n(to, from, n, RT_PC());
    return to;
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    if (n > room)
        OVERFLOW(__stpncpy_chk, to, from, n, room);
    return strings_put_n(to, from, n, RT_PC());
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
    if (!string_fits(from, SIZE_MAX, strings_real.strlen(to), room))
        OVERFLOW(__strcat_chk, to, from, room);
    return strings_append(to, from, SIZE_MAX, RT_PC());
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
    if (!string_fits(from, n, strings_real.strlen(to), room))
        OVERFLOW(__strncat_chk, to, from, n, room);
    return strings_append(to, from, n, RT_PC());
}
