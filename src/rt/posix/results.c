/* What functions of libc leave where the caller says, as far as the checkers are concerned, beside
 * strings.c, buffers.c and scan.c: libc is not instrumented, and two threads that let it write to one
 * place race as if they wrote themselves. Sizes that are known before are announced before it is done
 * (results.def), texts afterwards. */
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <iconv.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define FILLS(type, name, parameters, to, bytes, ...)                                              \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        strings_write(to, bytes, RT_PC());                                                         \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
#define READS(type, name, parameters, from, bytes, ...)                                            \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        strings_read(from, bytes, RT_PC());                                                        \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
#define MOVES(type, name, parameters, from, read, to, written, ...)                                \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        strings_read(from, read, RT_PC());                                                         \
        strings_write(to, written, RT_PC());                                                       \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
#include "rt/posix/results.def"
#undef FILLS
#undef READS
#undef MOVES

/* Random numbers of a state that is read and written. */
#define DRAW(name, state_type, type)                                                               \
    RT_EXPORT int name(state_type *restrict state, type *restrict to)                              \
    {                                                                                              \
        strings_write(state, sizeof *state, RT_PC());                                              \
        strings_write(to, sizeof *to, RT_PC());                                                    \
        return REAL(name)(state, to);                                                              \
    }
DRAW(random_r, struct random_data, int32_t)
DRAW(drand48_r, struct drand48_data, double)
DRAW(lrand48_r, struct drand48_data, long)
DRAW(mrand48_r, struct drand48_data, long)

RT_EXPORT void sincos(double x, double *sine, double *cosine)
{
    strings_write(sine, sizeof *sine, RT_PC());
    strings_write(cosine, sizeof *cosine, RT_PC());
    REAL(sincos)(x, sine, cosine);
}

/* ---- texts ------------------------------------------------------------------------------------ */

/* The text that is at `to` now, if there is one. */
static char *left_text(char *to, uintptr_t pc)
{
    if (to && strings_watched(pc))
        strings_write(to, strings_real.strlen(to) + 1, pc);
    return to;
}

#define TEXT(name, parameters, ...)                                                                \
    RT_EXPORT char *name parameters                                                                \
    {                                                                                              \
        return left_text(REAL(name)(__VA_ARGS__), RT_PC());                                        \
    }
TEXT(asctime_r, (const struct tm *restrict t, char *restrict to), t, to)
TEXT(ctime_r, (const time_t *restrict t, char *restrict to), t, to)
TEXT(strfry, (char *s), s)

TEXT(strerror_r, (int error, char *to, size_t room), error, to, room)

RT_EXPORT int posix_strerror_r(int error, char *to, size_t room) __asm__("__xpg_strerror_r");
extern __typeof__(posix_strerror_r) __xpg_strerror_r;
int posix_strerror_r(int error, char *to, size_t room)
{
    int status = REAL(__xpg_strerror_r)(error, to, room);
    left_text(to, RT_PC());
    return status;
}

RT_EXPORT const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t room)
{
    strings_read(from, family == AF_INET ? 4 : 16, RT_PC());
    return left_text((char *)REAL(inet_ntop)(family, from, to, room), RT_PC());
}

RT_EXPORT size_t strftime(char *restrict to, size_t room, const char *restrict format,
                          const struct tm *restrict t)
{
    strings_read(t, sizeof *t, RT_PC());
    size_t n = REAL(strftime)(to, room, format, t);
    if (n)
        strings_write(to, n + 1, RT_PC());
    return n;
}

RT_EXPORT int gethostname(char *to, size_t room)
{
    int status = REAL(gethostname)(to, room);
    if (!status)
        left_text(to, RT_PC());
    return status;
}

RT_EXPORT char *getcwd(char *to, size_t room)
{
    char *got = REAL(getcwd)(to, room);
    return to ? left_text(got, RT_PC()) : got;
}

RT_EXPORT char *realpath(const char *restrict path, char *restrict to)
{
    strings_read_text(path, SIZE_MAX, RT_PC());
    char *got = REAL(realpath)(path, to);
    return to ? left_text(got, RT_PC()) : got;
}

RT_EXPORT int getsockopt(int fd, int level, int name, void *restrict to, socklen_t *restrict size)
{
    int status = REAL(getsockopt)(fd, level, name, to, size);
    strings_write(size, status ? 0 : sizeof *size, RT_PC());
    strings_write(to, status ? 0 : *size, RT_PC());
    return status;
}

RT_EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t room)
{
    strings_read_text(path, SIZE_MAX, RT_PC());
    struct event *op = file_step_path(AT_FDCWD, path, false, true, RT_PC());
    ssize_t n = REAL(readlink)(path, to, room);
    file_step_done(op, false);
    strings_write(to, n > 0 ? (size_t)n : 0, RT_PC());
    return n;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

/* A number at `from` ends at `end`, where one byte more was looked at. */
static void read_number(const char *from, const char *end, char **tell, uintptr_t pc)
{
    strings_read(from, (size_t)(end - from) + 1, pc);
    strings_write(tell, tell ? sizeof *tell : 0, pc);
}

#define NUMBER(type, name, base, ...)                                                              \
    RT_EXPORT type results_##name(const char *from, char **end base) __asm__(#name);               \
    RT_EXPORT type name(const char *restrict from, char **restrict end base);                      \
    type results_##name(const char *from, char **end base)                                         \
    {                                                                                              \
        if (strings_watched(RT_PC())) {                                                            \
            char *last;                                                                            \
            REAL(name)(from, &last, ##__VA_ARGS__);                                                \
            read_number(from, last, end, RT_PC());                                                 \
        }                                                                                          \
        return REAL(name)(from, end, ##__VA_ARGS__);                                               \
    }
#define BASE , int base
#define INTEGERS(prefix)                                                                           \
    NUMBER(long, prefix##strtol, BASE, base)                                                       \
    NUMBER(long long, prefix##strtoll, BASE, base)                                                 \
    NUMBER(unsigned long, prefix##strtoul, BASE, base)                                             \
    NUMBER(unsigned long long, prefix##strtoull, BASE, base)
INTEGERS()
INTEGERS(__isoc23_)
NUMBER(double, strtod, )
NUMBER(float, strtof, )
NUMBER(long double, strtold, )

#define VALUE(type, name, read, ...)                                                               \
    RT_EXPORT type results_##name(const char *from) __asm__(#name);                                \
    type results_##name(const char *from)                                                          \
    {                                                                                              \
        if (strings_watched(RT_PC())) {                                                            \
            char *last;                                                                            \
            REAL(read)(from, &last, ##__VA_ARGS__);                                                \
            read_number(from, last, NULL, RT_PC());                                                \
        }                                                                                          \
        return (type)REAL(read)(from, NULL, ##__VA_ARGS__);                                        \
    }
VALUE(int, atoi, strtol, 10)
VALUE(long, atol, strtol, 10)
VALUE(long long, atoll, strtoll, 10)
VALUE(double, atof, strtod)
