/* Streams on descriptors that threads talk through: fdopen of a pipe or socket makes a stream whose
 * reads and writes come back to the runtime, so that they wait and are seen like those of the
 * descriptor. While a thread waits in one, it holds the stream's lock, which is the C library's (trap.c). */
#include "rt/posix/descriptors.h"
#include "rt/core/interpose.h"
#include "rt/check/finding.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STREAMS 64

static struct {
    FILE *stream;
    int fd;
    uint32_t generation;
} streams[STREAMS]; /* whose fileno the C library does not know */

struct part {
    char *at;
    size_t n;
};

static long do_read(int fd, void *args)
{
    const struct part *p = args;
    return syscall(SYS_read, fd, p->at, p->n);
}

static long do_write(int fd, void *args)
{
    const struct part *p = args;
    return syscall(SYS_write, fd, p->at, p->n);
}

static ssize_t stream_read(void *cookie, char *to, size_t n)
{
    int fd = (int)(intptr_t)cookie;
    struct descriptor *d = descriptor_of(fd);
    struct part p = {to, n};
    return d ? io_receive(fd, d, do_read, &p, 0, rt_caller_slow(RT_PC())) : do_read(fd, &p);
}

static ssize_t stream_write(void *cookie, const char *from, size_t n)
{
    int fd = (int)(intptr_t)cookie;
    uint64_t pc = rt_caller_slow(RT_PC());
    struct part p = {(char *)from, n};
    while (p.n) {
        struct descriptor *d = descriptor_of(fd);
        long sent = d ? io_send(fd, d, do_write, &p, 0, pc) : do_write(fd, &p);
        if (sent < 0)
            return p.n < n ? (ssize_t)(n - p.n) : 0; /* 0 is how a stream is told of errors */
        p.at += sent;
        p.n -= (size_t)sent;
    }
    return (ssize_t)n;
}

static int stream_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

static void remember(FILE *f, int fd)
{
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].generation != rt.generation || streams[i].stream == f) {
            streams[i].stream = f;
            streams[i].fd = fd;
            streams[i].generation = rt.generation;
            return;
        }
    finding_limit(LIMIT_STREAMS, STREAMS);
}

RT_EXPORT FILE *fdopen(int fd, const char *mode)
{
    const struct descriptor *d = descriptor_of(fd);
    if (!d || d->type == FD_RANDOM)
        return REAL(fdopen)(fd, mode);
    FILE *f = fopencookie((void *)(intptr_t)fd, mode,
                          (cookie_io_functions_t){stream_read, stream_write, NULL, stream_close});
    if (f)
        remember(f, fd);
    return f;
}

RT_EXPORT int fileno(FILE *f)
{
    for (int i = 0; rt.active && i < STREAMS; i++)
        if (streams[i].generation == rt.generation && streams[i].stream == f)
            return streams[i].fd;
    return REAL(fileno)(f);
}
