/* Input and output as far as the checkers are concerned: the program's buffers that libc and the
 * kernel read and write on its behalf. What is written to a buffer by formatting is measured first
 * and announced before it is done; what came in (read, fgets) is announced by its actual length. */
#include "rt/core/fiber.h"
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- formatting ------------------------------------------------------------------------------- */

static void announce_format(char *to, size_t room, const char *format, va_list args, uintptr_t pc)
{
    if (!strings_watched(pc))
        return;
    strings_read_format(format, args, pc);
    if (!room)
        return;
    va_list again;
    va_copy(again, args);
    int n = REAL(vsnprintf)(NULL, 0, format, again);
    va_end(again);
    if (n >= 0)
        strings_write(to, (size_t)n < room ? (size_t)n + 1 : room, pc);
}

static int format_n(char *to, size_t room, const char *format, va_list args, uintptr_t pc)
{
    bool ours = !rt_from_program(pc);
    announce_format(to, room, format, args, pc);
    if (ours)
        fiber_lend_tls(true);
    int n = REAL(vsnprintf)(to, room, format, args);
    if (ours)
        fiber_lend_tls(false);
    return n;
}

static int format_all(char *to, const char *format, va_list args, uintptr_t pc)
{
    announce_format(to, SIZE_MAX, format, args, pc);
    return REAL(vsprintf)(to, format, args);
}

RT_EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list args)
{
    return format_n(to, room, format, args, RT_PC());
}

RT_EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list args)
{
    return format_all(to, format, args, RT_PC());
}

RT_EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = format_n(to, room, format, args, RT_PC());
    va_end(args);
    return n;
}

RT_EXPORT int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = format_all(to, format, args, RT_PC());
    va_end(args);
    return n;
}

RT_EXPORT int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format,
                              va_list args);
RT_EXPORT int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
RT_EXPORT int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...);
RT_EXPORT int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list args)
{
    if (n <= room)
        announce_format(to, n, format, args, RT_PC());
    return REAL(__vsnprintf_chk)(to, n, flag, room, format, args);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    announce_format(to, room, format, args, RT_PC());
    return REAL(__vsprintf_chk)(to, flag, room, format, args);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (n <= room)
        announce_format(to, n, format, args, RT_PC());
    int written = REAL(__vsnprintf_chk)(to, n, flag, room, format, args);
    va_end(args);
    return written;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    announce_format(to, room, format, args, RT_PC());
    int written = REAL(__vsprintf_chk)(to, flag, room, format, args);
    va_end(args);
    return written;
}

/* ---- streams and files ------------------------------------------------------------------------ */

RT_EXPORT size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict file)
{
    file_step_stream(file, RT_PC());
    size_t got = REAL(fread)(to, size, n, file);
    strings_write(to, got * size, RT_PC());
    return got;
}

RT_EXPORT size_t fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict file)
{
    strings_read(from, size * n, RT_PC());
    file_step_stream(file, RT_PC());
    return REAL(fwrite)(from, size, n, file);
}

RT_EXPORT char *fgets(char *restrict to, int n, FILE *restrict file)
{
    file_step_stream(file, RT_PC());
    char *got = REAL(fgets)(to, n, file);
    if (got && strings_watched(RT_PC()))
        strings_write(to, strings_real.strnlen(to, (size_t)n) + 1, RT_PC());
    return got;
}

RT_EXPORT int fputs(const char *restrict s, FILE *restrict file)
{
    strings_read_text(s, SIZE_MAX, RT_PC());
    file_step_stream(file, RT_PC());
    return REAL(fputs)(s, file);
}

RT_EXPORT int puts(const char *s)
{
    strings_read_text(s, SIZE_MAX, RT_PC());
    file_step_stream(stdout, RT_PC());
    return REAL(puts)(s);
}
