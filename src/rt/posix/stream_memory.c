/* Streams that work in memory of the program's: a buffer that setvbuf gave, the memory of
 * fmemopen and open_memstream. The C library reads and writes there unseen; to other threads it
 * is as if whoever uses the stream did. What is in a buffer is the stream's own affair at any
 * time, so each use writes all of it. Where the memory is what the stream is about, it is written
 * when the stream is flushed or closed. */
#include "rt/posix/stream_memory.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <string.h>
#include <wchar.h>

#define MOST 64

enum kind { BUFFER, READ, WRITTEN, GROWING, GROWING_WIDE };

struct stream_memory {
    FILE *stream;
    enum kind kind;
    void *at; /* of what grows: where its address is, as `length` is that of its length */
    size_t size, *length;
    off_t position; /* up to which it was flushed */
};

static struct stream_memory streams[MOST];
static int count;
uint32_t stream_memory_since;

struct stream_memory *stream_memory_find(FILE *f)
{
    for (int i = 0; i < count; i++)
        if (streams[i].stream == f)
            return &streams[i];
    return NULL;
}

static void forget(FILE *f)
{
    struct stream_memory *m = stream_memory_of(f);
    if (m)
        *m = streams[--count];
}

static void remember(struct stream_memory m)
{
    if (!rt.active || !m.stream)
        return;
    forget(m.stream);
    if (stream_memory_since != rt.generation)
        count = 0;
    stream_memory_since = rt.generation;
    if (count == MOST)
        finding_incomplete("an execution has more than %d streams in memory of its own", MOST);
    else
        streams[count++] = m;
}

void stream_memory_used(const struct stream_memory *m, uint64_t pc)
{
    if (m->kind == BUFFER)
        strings_write(m->at, m->size, pc);
    else if (m->kind == READ)
        strings_read(m->at, m->size, pc);
}

void stream_memory_flushed(FILE *f, uint64_t pc)
{
    struct stream_memory *m = stream_memory_of(f);
    if (!m)
        return;
    off_t now = m->kind == WRITTEN ? REAL(ftello)(f) : 0;
    if (now > m->position && (size_t)now <= m->size) {
        strings_write((char *)m->at + m->position, (size_t)(now - m->position), pc);
        m->position = now;
    }
    if (m->kind != GROWING && m->kind != GROWING_WIDE)
        return;
    size_t unit = m->kind == GROWING ? 1 : sizeof(wchar_t);
    strings_write(m->at, sizeof(void *), pc);
    strings_write(m->length, sizeof *m->length, pc);
    strings_write(*(void **)m->at, (*m->length + 1) * unit, pc);
}

void stream_memory_closes(FILE *f, uint64_t pc)
{
    if (!stream_memory_of(f))
        return;
    REAL(fflush)(f);
    stream_memory_flushed(f, pc);
    forget(f);
}

static int give(FILE *f, char *buffer, int mode, size_t size, uint64_t pc)
{
    file_step_stream(f, pc);
    int status = REAL(setvbuf)(f, buffer, mode, size);
    if (status)
        return status;
    if (buffer && mode != _IONBF)
        remember((struct stream_memory){.stream = f, .kind = BUFFER, .at = buffer, .size = size});
    else
        forget(f);
    return 0;
}

RT_EXPORT int setvbuf(FILE *restrict f, char *restrict buffer, int mode, size_t size)
{
    return give(f, buffer, mode, size, RT_PC());
}

RT_EXPORT void setbuffer(FILE *f, char *buffer, size_t size)
{
    give(f, buffer, buffer ? _IOFBF : _IONBF, size, RT_PC());
}

RT_EXPORT void setbuf(FILE *restrict f, char *restrict buffer)
{
    give(f, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ, RT_PC());
}

static bool only_reads(const char *mode)
{
    return *mode == 'r' && !strchr(mode, '+');
}

RT_EXPORT FILE *fmemopen(void *memory, size_t size, const char *mode)
{
    FILE *f = REAL(fmemopen)(memory, size, mode);
    if (memory)
        remember((struct stream_memory){.stream = f, .kind = only_reads(mode) ? READ : WRITTEN,
                                        .at = memory, .size = size});
    return f;
}

RT_EXPORT FILE *open_memstream(char **to, size_t *length)
{
    FILE *f = REAL(open_memstream)(to, length);
    remember((struct stream_memory){.stream = f, .kind = GROWING, .at = to, .length = length});
    return f;
}

RT_EXPORT FILE *open_wmemstream(wchar_t **to, size_t *length)
{
    FILE *f = REAL(open_wmemstream)(to, length);
    remember((struct stream_memory){.stream = f, .kind = GROWING_WIDE, .at = to, .length = length});
    return f;
}
