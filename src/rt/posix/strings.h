/* What strings.c, strings_chk.c and buffers.c share: libc's functions behind the interposed ones, and
 * how an access of theirs is announced. */
#ifndef RT_STRINGS_H
#define RT_STRINGS_H

#include "rt/abi/access.h"
#include "rt/core/rt.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* Every function of libc that is called behind an interposed one. */
#define STRINGS_REAL(F)                                                                            \
    F(memcpy) F(memmove) F(memset) F(memcmp) F(memchr) F(strlen) F(strnlen) F(strcmp)              \
    F(strncmp) F(strcasecmp) F(strncasecmp) F(strchr) F(strrchr) F(strstr)

struct strings_real {
#define FIELD(name) __typeof__(&name) name;
    STRINGS_REAL(FIELD)
#undef FIELD
};
extern struct strings_real strings_real;

static inline bool strings_watched(uintptr_t pc)
{
    return RT_UNLIKELY(rt.active) && rt_from_program(pc);
}

static inline void strings_read(const void *p, size_t n, uintptr_t pc)
{
    if (n && strings_watched(pc))
        access_range((uintptr_t)p, n, false, pc);
}

static inline void strings_write(const void *p, size_t n, uintptr_t pc)
{
    if (n && strings_watched(pc))
        access_range((uintptr_t)p, n, true, pc);
}

/* A string of at most `limit` bytes, the zero at its end included. */
void strings_read_text(const char *s, size_t limit, uintptr_t pc);
void strings_read_wide(const wchar_t *s, uintptr_t pc);
/* formats.c: the texts among the arguments of printf. */
void strings_read_format(const char *format, va_list args, uintptr_t pc);

/* The functions as called from pc. */
void *strings_copy(void *to, const void *from, size_t n, uintptr_t pc);
void *strings_move(void *to, const void *from, size_t n, uintptr_t pc);
void *strings_set(void *to, int byte, size_t n, uintptr_t pc);
char *strings_put(char *to, const char *from, uintptr_t pc); /* returns the end, as stpcpy */
char *strings_put_n(char *to, const char *from, size_t n, uintptr_t pc);
char *strings_append(char *to, const char *from, size_t limit, uintptr_t pc);

#endif
