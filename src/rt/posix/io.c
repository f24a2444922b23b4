/* Reading and writing what threads share through descriptors. */
#include "rt/core/interpose.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/signalfd.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"
#include "rt/sym/outside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long fail(int error)
{
    errno = error;
    return -1;
}

/* A periodic timer is ready again at once: time may pass. */
static void rearm(int fd, struct descriptor *d)
{
    uint64_t one = 1;
    d->fires = 0;
    if (d->type == FD_TIMER && d->periodic)
        syscall(SYS_write, fd, &one, 8);
}

/* As the flags of a call (MSG_…) want it. */
static struct descriptor io_as(struct descriptor *d, int flags)
{
    struct descriptor now = *d;
    now.nonblocking |= (flags & MSG_DONTWAIT) != 0;
    return now;
}

long io_receive(int fd, struct descriptor *d, long (*call)(int, void *), void *args, int flags, uint64_t pc)
{
    if (flags & MSG_PEEK)
        descriptor_opaque(d);
    struct descriptor now = io_as(d, flags);
    int error = descriptor_wait(fd, &now, EV_IO_READ, POLLIN, pc);
    if (error)
        return fail(error);
    bool not_yet = now.nonblocking && descriptor_not_yet(d, rt.self->time);
    long got = not_yet ? fail(EAGAIN) : call(fd, args);
    if (got >= 0)
        rearm(fd, d);
    descriptor_done(d, got);
    return got;
}

long io_send(int fd, struct descriptor *d, long (*call)(int, void *), void *args, int flags, uint64_t pc)
{
    struct descriptor now = io_as(d, flags);
    int error = descriptor_wait(fd, &now, EV_IO_WRITE, POLLOUT, pc);
    if (error)
        return fail(error);
    long sent = call(fd, args);
    descriptor_done(d, sent);
    if (sent < 0 && errno == EPIPE && !(flags & MSG_NOSIGNAL)) {
        signals_raise(rt.current, SIGPIPE, pc);
        errno = EPIPE;
    }
    return sent;
}

struct buffer {
    char *at;
    size_t n;
    int flags;
};

static long do_read(int fd, void *args)
{
    struct buffer *b = args;
    return syscall(SYS_read, fd, b->at, b->n);
}

static long do_write(int fd, void *args)
{
    struct buffer *b = args;
    return syscall(SYS_write, fd, b->at, b->n);
}

static long do_recv(int fd, void *args)
{
    struct buffer *b = args;
    return syscall(SYS_recvfrom, fd, b->at, b->n, b->flags, NULL, NULL);
}

static long do_send(int fd, void *args)
{
    struct buffer *b = args;
    return syscall(SYS_sendto, fd, b->at, b->n, b->flags | MSG_NOSIGNAL, NULL, 0);
}

/* A blocking write writes everything. */
static ssize_t send_all(int fd, struct descriptor *d, long (*call)(int, void *), struct buffer b,
                        uint64_t pc)
{
    size_t done = 0, all = b.n;
    for (;;) {
        long sent = io_send(fd, d, call, &b, b.flags, pc);
        if (sent < 0)
            return done ? (ssize_t)done : sent;
        done += (size_t)sent;
        if (done >= all || d->nonblocking || b.flags & MSG_DONTWAIT)
            return (ssize_t)done;
        b.at += sent;
        b.n -= (size_t)sent;
    }
}

RT_EXPORT ssize_t read(int fd, void *to, size_t n)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_READ, RT_PC());
    ssize_t got;
    if (!d) {
        cancel_in_call(RT_PC());
        struct event *op = file_step_fd(fd, false, RT_PC());
        got = REAL(read)(fd, to, n);
        file_step_done(op, got > 0);
        if (got > 0)
            sym_was_read(fd, to, (size_t)got);
    } else if (d->type == FD_RANDOM) {
        clock_random(to, n);
        got = (ssize_t)n;
    } else if (d->type == FD_SIGNAL) {
        got = signalfd_read(d, to, n, RT_PC());
    } else {
        got = io_receive(fd, d, do_read, &(struct buffer){to, n, 0}, 0, RT_PC());
    }
    if (got > 0)
        strings_write(to, (size_t)got, RT_PC());
    return got;
}

static ssize_t write_outside(int fd, const void *from, size_t n, uint64_t pc)
{
    cancel_in_call(pc);
    struct event *op = file_step_fd(fd, false, pc);
    ssize_t put = REAL(write)(fd, from, n);
    file_step_done(op, put > 0);
    return put;
}

RT_EXPORT ssize_t write(int fd, const void *from, size_t n)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_WRITE, RT_PC());
    strings_read(from, n, RT_PC());
    if (!d)
        return write_outside(fd, from, n, RT_PC());
    return send_all(fd, d, do_write, (struct buffer){(char *)from, n, 0}, RT_PC());
}

RT_EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_READ, RT_PC());
    ssize_t got = d ? io_receive(fd, d, do_recv, &(struct buffer){to, n, flags}, flags, RT_PC())
                    : REAL(recv)(fd, to, n, flags);
    if (got > 0)
        strings_write(to, (size_t)got, RT_PC());
    return got;
}

RT_EXPORT ssize_t send(int fd, const void *from, size_t n, int flags)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_WRITE, RT_PC());
    strings_read(from, n, RT_PC());
    if (!d)
        return REAL(send)(fd, from, n, flags);
    return send_all(fd, d, do_send, (struct buffer){(char *)from, n, flags}, RT_PC());
}

struct vector {
    const struct iovec *v;
    int n;
};

static long do_readv(int fd, void *args)
{
    struct vector *a = args;
    return syscall(SYS_readv, fd, a->v, a->n);
}

static long do_writev(int fd, void *args)
{
    struct vector *a = args;
    return syscall(SYS_writev, fd, a->v, a->n);
}

RT_EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_READ, RT_PC());
    ssize_t got;
    if (d && d->type == FD_SIGNAL && n > 0) {
        got = signalfd_read(d, v[0].iov_base, v[0].iov_len, RT_PC());
    } else if (d) {
        got = io_receive(fd, d, do_readv, &(struct vector){v, n}, 0, RT_PC());
    } else {
        cancel_in_call(RT_PC());
        struct event *op = file_step_fd(fd, false, RT_PC());
        got = REAL(readv)(fd, v, n);
        file_step_done(op, got > 0);
    }
    size_t left = got > 0 ? (size_t)got : 0;
    for (int i = 0; i < n && left; i++) {
        size_t part = v[i].iov_len < left ? v[i].iov_len : left;
        strings_write(v[i].iov_base, part, RT_PC());
        left -= part;
    }
    return got;
}

RT_EXPORT ssize_t writev(int fd, const struct iovec *v, int n)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_WRITE, RT_PC());
    for (int i = 0; i < n; i++)
        strings_read(v[i].iov_base, v[i].iov_len, RT_PC());
    if (d)
        return io_send(fd, d, do_writev, &(struct vector){v, n}, 0, RT_PC());
    cancel_in_call(RT_PC());
    struct event *op = file_step_fd(fd, false, RT_PC());
    ssize_t put = REAL(writev)(fd, v, n);
    file_step_done(op, put > 0);
    return put;
}

struct io_message {
    struct msghdr *m;
    int flags;
};

static long do_recvmsg(int fd, void *args)
{
    struct io_message *a = args;
    return syscall(SYS_recvmsg, fd, a->m, a->flags);
}

static long do_sendmsg(int fd, void *args)
{
    struct io_message *a = args;
    return syscall(SYS_sendmsg, fd, a->m, a->flags | MSG_NOSIGNAL);
}

/* The first n bytes of a message's parts. */
static void announce_parts(const struct msghdr *m, ssize_t n, bool write, uintptr_t pc)
{
    for (size_t i = 0; strings_watched(pc) && i < m->msg_iovlen && n > 0; i++) {
        const struct iovec *part = &m->msg_iov[i];
        size_t here = part->iov_len < (size_t)n ? part->iov_len : (size_t)n;
        (write ? strings_write : strings_read)(part->iov_base, here, pc);
        n -= (ssize_t)here;
    }
}

RT_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    struct descriptor *d = descriptor_for(fd, EV_IO_READ, RT_PC());
    ssize_t got = d ? io_receive(fd, d, do_recvmsg, &(struct io_message){m, flags}, flags, RT_PC())
                    : REAL(recvmsg)(fd, m, flags);
    announce_parts(m, got, true, RT_PC());
    return got;
}

RT_EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    announce_parts(m, PTRDIFF_MAX, false, RT_PC());
    struct descriptor *d = descriptor_for(fd, EV_IO_WRITE, RT_PC());
    return d ? io_send(fd, d, do_sendmsg, &(struct io_message){(struct msghdr *)m, flags}, flags, RT_PC())
             : REAL(sendmsg)(fd, m, flags);
}

/* ---- through libc ----------------------------------------------------------------------------- */

int eventfd_read(int fd, uint64_t *value);
RT_EXPORT int eventfd_read(int fd, uint64_t *value)
{
    strings_write(value, sizeof *value, RT_PC());
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, uint64_t value);
RT_EXPORT int eventfd_write(int fd, uint64_t value)
{
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
