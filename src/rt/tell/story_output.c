/* What the program prints while it is recorded. Its stdout and stderr go to files in memory; whatever was
 * added to them, or stands in stdout's buffer, since the last look is told of the running thread. Nothing
 * about the buffering changes, since the buffer is memory of the program's heap. */
#include "rt/tell/story.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 2000u /* bytes told at a time; the rest is left out */

static struct {
    int fd; /* -1: not ours */
    uint64_t told;
} streams[2] = {{-1, 0}, {-1, 0}};

static void take_over(int i)
{
    if (streams[i].fd >= 0)
        syscall(SYS_close, streams[i].fd);
    streams[i].told = 0;
    streams[i].fd = (int)syscall(SYS_memfd_create, "raddle-output", MFD_CLOEXEC);
    if (streams[i].fd >= 0)
        syscall(SYS_dup2, streams[i].fd, i + 1);
}

void story_output_begin(void)
{
    for (int i = 0; i < 2 && !rt.shared->config.show_output; i++)
        take_over(i);
}

static uint64_t in_file(int fd)
{
    struct stat s;
    return syscall(SYS_fstat, fd, &s) ? 0 : (uint64_t)s.st_size;
}

/* Bytes in the buffer that are not in the file yet. */
static uint64_t in_buffer(const FILE *f)
{
    return f->_IO_write_base && f->_IO_write_ptr > f->_IO_write_base
               ? (uint64_t)(f->_IO_write_ptr - f->_IO_write_base)
               : 0;
}

static void tell(int i)
{
    char text[MOST];
    size_t n = 0;
    uint64_t file = in_file(streams[i].fd), buffer = i == 0 ? in_buffer(stdout) : 0;
    uint64_t from = streams[i].told, all = file + buffer;
    if (all <= from)
        return;
    if (from < file) {
        long got = syscall(SYS_pread64, streams[i].fd, text, file - from < MOST ? file - from : MOST, from);
        n = got > 0 ? (size_t)got : 0;
    }
    if (buffer && n < MOST) {
        uint64_t skip = from > file ? from - file : 0;
        size_t more = buffer - skip < MOST - n ? (size_t)(buffer - skip) : MOST - n;
        rt_copy(text + n, stdout->_IO_write_base + skip, more);
        n += more;
    }
    streams[i].told = all;
    story_put_output(text, n);
}

/* Plain accesses are many and belong to one step: before them only the buffer is looked at, which costs no
 * call of the system. What was written without it is told at the end of the step. */
void story_output(bool plain)
{
    static const char *base, *end;
    if (plain && stdout->_IO_write_base == base && stdout->_IO_write_ptr == end)
        return;
    base = stdout->_IO_write_base;
    end = stdout->_IO_write_ptr;
    for (int i = 0; i < 2; i++)
        if (streams[i].fd >= 0)
            tell(i);
}
