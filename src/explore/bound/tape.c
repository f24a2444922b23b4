/* Numbers are written seven bits at a time. Offsets below `room` lie in memory, the others in the
 * file, through one buffer that always holds a whole aligned part of it. System calls are made
 * directly: inside the tested program libc's functions belong to the program. */
#include "explore/bound/tape.h"

#include "base/ensure.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int tape_init(struct tape *t, struct arena *a, uint64_t room, const int32_t *fd,
              uint64_t file_start)
{
    room = (room + 4095) & ~4095ull;
    unsigned char *p = arena_alloc(a, room + 4096);
    *t = (struct tape){.room = room, .fd = fd, .file_start = file_start};
    t->buffer = arena_alloc(a, TAPE_BUFFER);
    if (!p || !t->buffer)
        return -1;
    t->memory = (unsigned char *)(((uintptr_t)p + 4095) & ~(uintptr_t)4095);
    return 0;
}

static void flush(struct tape *t, uint64_t end)
{
    ensure(end > t->room);
    uint64_t in_file = end - t->room, start = (in_file - 1) / TAPE_BUFFER * TAPE_BUFFER;
    size_t n = (size_t)(in_file - start);
    if (*t->fd < 0 ||
        syscall(SYS_pwrite64, *t->fd, t->buffer, n, t->file_start + start) != (long)n)
        t->failed = true;
}

void tape_put_byte(struct tape *t, unsigned char b)
{
    uint64_t at = t->length++;
    if (at < t->room) {
        t->memory[at] = b;
        return;
    }
    t->buffer[(at - t->room) % TAPE_BUFFER] = b;
    if ((t->length - t->room) % TAPE_BUFFER == 0)
        flush(t, t->length);
}

void tape_put(struct tape *t, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        tape_put_byte(t, (unsigned char)(value | 128));
    tape_put_byte(t, (unsigned char)value);
}

void tape_rewind(struct tape *t)
{
    if (t->length > t->room && (t->length - t->room) % TAPE_BUFFER)
        flush(t, t->length);
    t->at = 0;
}

static unsigned char get_byte(struct tape *t)
{
    ensure(t->at < t->length);
    uint64_t at = t->at++;
    if (at < t->room)
        return t->memory[at];
    uint64_t in_file = at - t->room;
    if (in_file % TAPE_BUFFER == 0) {
        uint64_t left = t->length - at, n = left < TAPE_BUFFER ? left : TAPE_BUFFER;
        if (*t->fd < 0 || syscall(SYS_pread64, *t->fd, t->buffer, (size_t)n,
                                  t->file_start + in_file) != (long)n)
            t->failed = true;
    }
    return t->buffer[in_file % TAPE_BUFFER];
}

uint64_t tape_get(struct tape *t)
{
    uint64_t value = 0;
    for (unsigned shift = 0; t->at < t->length; shift += 7) {
        unsigned char b = get_byte(t);
        value |= (uint64_t)(b & 127) << shift;
        if (b < 128)
            break;
    }
    return value;
}

void tape_clear(struct tape *t)
{
    uint64_t used = t->length < t->room ? t->length : t->room;
    if (used > (1 << 20) && syscall(SYS_madvise, t->memory, used & ~4095ull, MADV_REMOVE) < 0)
        syscall(SYS_madvise, t->memory, used & ~4095ull, MADV_DONTNEED);
    if (t->length > t->room && *t->fd >= 0)
        syscall(SYS_fallocate, *t->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, t->file_start,
                t->length - t->room);
    t->length = t->at = 0;
}

void tape_put_rest(const struct tape *t, struct work *out)
{
    uint64_t n = t->length - t->at;
    if (t->length > t->room || n > out->room - out->length) {
        out->failed = true;
        return;
    }
    for (uint64_t i = 0; i < n; i++)
        out->bytes[out->length++] = t->memory[t->at + i];
}
