/* Streams that threads share: a call on one is a step on it, whatever file or memory is behind
 * it. */
#include "rt/core/interpose.h"
#include "rt/core/sync.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/stream_memory.h"
#include "rt/posix/strings.h"

#include <stdarg.h>
#include <stdio_ext.h>
#include <wchar.h>

static inline bool is_shared(void)
{
    return RT_UNLIKELY(rt.active && rt.threads > 1);
}

/* A stream is a recursive mutex of ours, at its address: flockfile locks it, every other call for as long as
 * it takes. */
static struct sync *lock_of(FILE *f)
{
    struct sync *s = sync_get((uintptr_t)f, SYNC_MUTEX);
    s->kind = MUTEX_RECURSIVE;
    return s;
}

/* Who writes to standard output first is noticed by nobody, unless it is into memory of the program's. */
void file_step_stream(FILE *f, uint64_t pc)
{
    const struct stream_memory *m = stream_memory_of(f);
    bool step = is_shared() && ((f != stdout && f != stderr) || m);
    if (step) {
        file_state_is_elsewhere();
        sync_lock(lock_of(f), pc);
    }
    if (RT_UNLIKELY(m != NULL))
        stream_memory_used(m, pc);
    if (step)
        sync_unlock(lock_of(f), pc);
}

struct event *file_step_flush(FILE *f, uint64_t pc)
{
    return f && is_shared() && __fpending(f) ? file_step_fd(fileno(f), false, pc) : NULL;
}

#define STREAMS(type, name, parameters, stream, ...)                                               \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        file_step_stream(stream, RT_PC());                                                         \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
#undef putc
#undef getc
#undef feof
#undef ferror
#undef clearerr
#undef putwc
#undef getwc
STREAMS(int, fputc, (int c, FILE *f), f, c, f)
STREAMS(int, putc, (int c, FILE *f), f, c, f)
STREAMS(int, fgetc, (FILE *f), f, f)
STREAMS(int, getc, (FILE *f), f, f)
STREAMS(int, ungetc, (int c, FILE *f), f, c, f)
STREAMS(int, putw, (int w, FILE *f), f, w, f)
STREAMS(int, getw, (FILE *f), f, f)
STREAMS(int, fseek, (FILE *f, long to, int from), f, f, to, from)
STREAMS(int, fseeko, (FILE *f, off_t to, int from), f, f, to, from)
STREAMS(long, ftell, (FILE *f), f, f)
STREAMS(off_t, ftello, (FILE *f), f, f)
STREAMS(int, fsetpos, (FILE *f, const fpos_t *to), f, f, to)
STREAMS(int, feof, (FILE *f), f, f)
STREAMS(int, ferror, (FILE *f), f, f)
STREAMS(void, clearerr, (FILE *f), f, f)
STREAMS(wint_t, fputwc, (wchar_t c, FILE *f), f, c, f)
STREAMS(wint_t, putwc, (wchar_t c, FILE *f), f, c, f)
STREAMS(wint_t, fgetwc, (FILE *f), f, f)
STREAMS(wint_t, getwc, (FILE *f), f, f)
STREAMS(wint_t, ungetwc, (wint_t c, FILE *f), f, c, f)
STREAMS(int, fwide, (FILE *f, int mode), f, f, mode)

RT_EXPORT int fflush(FILE *f)
{
    if (!rt.active || !f)
        return REAL(fflush)(f);
    file_step_stream(f, RT_PC());
    struct event *op = file_step_flush(f, RT_PC());
    int result = REAL(fflush)(f);
    stream_memory_flushed(f, RT_PC());
    file_step_done(op, true);
    return result;
}

RT_EXPORT int fgetpos(FILE *restrict f, fpos_t *restrict to)
{
    file_step_stream(f, RT_PC());
    strings_write(to, sizeof *to, RT_PC());
    return REAL(fgetpos)(f, to);
}

/* The header has it inline, too. */
RT_EXPORT int stdin_getchar(void) __asm__("getchar");
int stdin_getchar(void)
{
    file_step_stream(stdin, RT_PC());
    return REAL(getc)(stdin);
}

RT_EXPORT int stdout_putchar(int c) __asm__("putchar");
int stdout_putchar(int c)
{
    file_step_stream(stdout, RT_PC());
    return REAL(putc)(c, stdout);
}

RT_EXPORT void rewind(FILE *f)
{
    file_step_stream(f, RT_PC());
    REAL(rewind)(f);
}

RT_EXPORT int vfprintf(FILE *restrict f, const char *restrict format, va_list args)
{
    strings_read_format(format, args, RT_PC());
    file_step_stream(f, RT_PC());
    return REAL(vfprintf)(f, format, args);
}

RT_EXPORT int fprintf(FILE *restrict f, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    strings_read_format(format, args, RT_PC());
    file_step_stream(f, RT_PC());
    int written = REAL(vfprintf)(f, format, args);
    va_end(args);
    return written;
}

/* ---- wide ones: of texts among the arguments nothing is known ---------------------------------- */

RT_EXPORT int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list args)
{
    file_step_stream(f, RT_PC());
    return REAL(vfwprintf)(f, format, args);
}

RT_EXPORT int fwprintf(FILE *restrict f, const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    file_step_stream(f, RT_PC());
    int written = REAL(vfwprintf)(f, format, args);
    va_end(args);
    return written;
}

RT_EXPORT int fputws(const wchar_t *restrict s, FILE *restrict f)
{
    strings_read_wide(s, RT_PC());
    file_step_stream(f, RT_PC());
    return REAL(fputws)(s, f);
}

RT_EXPORT wchar_t *fgetws(wchar_t *restrict to, int room, FILE *restrict f)
{
    file_step_stream(f, RT_PC());
    wchar_t *got = REAL(fgetws)(to, room, f);
    if (got && strings_watched(RT_PC()))
        strings_write(to, (REAL(wcslen)(to) + 1) * sizeof *to, RT_PC());
    return got;
}

static int format_wide(wchar_t *to, size_t room, const wchar_t *format, va_list args, uintptr_t pc)
{
    int written = REAL(vswprintf)(to, room, format, args);
    if (room)
        strings_write(to, (written < 0 ? room : (size_t)written + 1) * sizeof *to, pc);
    return written;
}

RT_EXPORT int vswprintf(wchar_t *restrict to, size_t room, const wchar_t *restrict format, va_list args)
{
    return format_wide(to, room, format, args, RT_PC());
}

RT_EXPORT int swprintf(wchar_t *restrict to, size_t room, const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int written = format_wide(to, room, format, args, RT_PC());
    va_end(args);
    return written;
}

/* ---- their locks ------------------------------------------------------------------------------- */

RT_EXPORT void flockfile(FILE *f)
{
    if (!is_shared()) {
        REAL(flockfile)(f);
        return;
    }
    sync_lock(lock_of(f), RT_PC());
}

RT_EXPORT int ftrylockfile(FILE *f)
{
    if (!is_shared())
        return REAL(ftrylockfile)(f);
    return sync_trylock(lock_of(f), RT_PC());
}

RT_EXPORT void funlockfile(FILE *f)
{
    if (is_shared() && lock_of(f)->owner == rt.current)
        sync_unlock(lock_of(f), RT_PC());
    else
        REAL(funlockfile)(f);
}
