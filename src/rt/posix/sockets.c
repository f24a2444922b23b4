/* Sockets with names. A connection is the program's own if the program listens itself, a datagram if the
 * program has bound a socket for datagrams; whatever else it talks to is the outside: such calls pass
 * through, block the whole program and make the verdict incomplete. All sockets with a name are one
 * object. */
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/numbers.h"
#include "rt/posix/strings.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t named_in; /* the execution in which the program has made a name of its own */

static bool has_names(void)
{
    return named_in == rt.generation;
}

static void name_outside(const char *call, uint64_t pc)
{
    finding_warn(pc, "%s() to something outside of the program: what comes from there is not under "
                     "raddle's control", call);
    finding_incomplete("the program talks to the outside (%s)", call);
}

static void adopt_named(int fd)
{
    named_in = rt.generation;
    descriptor_adopt(fd, FD_SOCKET, descriptor_network(), false);
}

RT_EXPORT int socket(int domain, int type, int protocol)
{
    rt.files_opened = true;
    numbers_before_open(RT_PC());
    int fd = REAL(socket)(domain, type, protocol);
    numbers_opened(&fd, 1, RT_PC());
    return fd;
}

RT_EXPORT int listen(int fd, int backlog)
{
    int status = REAL(listen)(fd, backlog);
    if (rt.active && status == 0)
        adopt_named(fd);
    return status;
}

RT_EXPORT int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    PASSIVE(connect, fd, address, size);
    uint64_t pc = RT_PC();
    if (!has_names()) {
        name_outside("connect", pc);
        return (int)syscall(SYS_connect, fd, address.__sockaddr__, size);
    }
    sched_op(EV_IO_WRITE, descriptor_network(), 8, pc)->other = DESCRIPTOR_OPAQUE;
    sched_visit();
    int status = (int)syscall(SYS_connect, fd, address.__sockaddr__, size);
    descriptor_adopt(fd, FD_SOCKET, descriptor_network(), false);
    descriptor_done(descriptor_of(fd), status);
    return status;
}

struct name {
    struct sockaddr *address;
    socklen_t *size;
    int flags;
};

static long do_accept(int fd, void *args)
{
    struct name *n = args;
    return syscall(SYS_accept4, fd, n->address, n->size, n->flags);
}

static int accept_as(int fd, struct descriptor *d, struct name *n, uint64_t pc)
{
    numbers_before_use(fd, pc);
    numbers_before_open(pc);
    int got = (int)io_receive(fd, d, do_accept, n, 0, pc);
    numbers_opened(&got, 1, pc);
    rt.files_opened = true;
    if (got >= 0)
        descriptor_adopt(got, FD_SOCKET, d->object, n->flags & SOCK_NONBLOCK);
    return got;
}

RT_EXPORT int accept(int fd, __SOCKADDR_ARG address, socklen_t *restrict size)
{
    struct descriptor *d = descriptor_of(fd);
    rt.files_opened = true;
    return d ? accept_as(fd, d, &(struct name){address.__sockaddr__, size, 0}, RT_PC())
             : REAL(accept)(fd, address, size);
}

RT_EXPORT int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
    struct descriptor *d = descriptor_of(fd);
    rt.files_opened = true;
    return d ? accept_as(fd, d, &(struct name){address.__sockaddr__, size, flags}, RT_PC())
             : REAL(accept4)(fd, address, size, flags);
}

RT_EXPORT int shutdown(int fd, int how)
{
    struct descriptor *d = descriptor_of(fd);
    if (!d)
        return REAL(shutdown)(fd, how);
    sched_op(EV_IO_CLOSE, d->object, 8, RT_PC());
    sched_visit();
    int status = (int)syscall(SYS_shutdown, fd, how);
    descriptor_done(d, status);
    return status;
}

/* ---- datagrams -------------------------------------------------------------------------------- */

static bool is_datagram(int fd)
{
    int type = 0;
    socklen_t size = sizeof type;
    return syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

RT_EXPORT int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    strings_read(address.__sockaddr__, size, RT_PC());
    int status = REAL(bind)(fd, address, size);
    if (rt.active && status == 0 && is_datagram(fd))
        adopt_named(fd);
    return status;
}

struct datagram {
    void *at;
    size_t n;
    int flags;
    const struct sockaddr *to;
    socklen_t to_size;
    struct sockaddr *from;
    socklen_t *from_size;
};

static long do_sendto(int fd, void *args)
{
    const struct datagram *m = args;
    return syscall(SYS_sendto, fd, m->at, m->n, m->flags | MSG_NOSIGNAL, m->to, m->to_size);
}

static long do_recvfrom(int fd, void *args)
{
    const struct datagram *m = args;
    return syscall(SYS_recvfrom, fd, m->at, m->n, m->flags, m->from, m->from_size);
}

RT_EXPORT ssize_t sendto(int fd, const void *from, size_t n, int flags, __CONST_SOCKADDR_ARG to,
                         socklen_t size)
{
    PASSIVE(sendto, fd, from, n, flags, to, size);
    struct datagram m = {.at = (void *)from, .n = n, .flags = flags, .to = to.__sockaddr__, .to_size = size};
    strings_read(from, n, RT_PC());
    if (!descriptor_of(fd) && has_names() && is_datagram(fd))
        descriptor_adopt(fd, FD_SOCKET, descriptor_network(), false);
    struct descriptor *d = descriptor_for(fd, EV_IO_WRITE, RT_PC());
    if (d)
        return io_send(fd, d, do_sendto, &m, flags, RT_PC());
    name_outside("sendto", RT_PC());
    return do_sendto(fd, &m);
}

RT_EXPORT ssize_t recvfrom(int fd, void *to, size_t n, int flags, __SOCKADDR_ARG from,
                           socklen_t *restrict size)
{
    PASSIVE(recvfrom, fd, to, n, flags, from, size);
    struct datagram m = {.at = to, .n = n, .flags = flags, .from = from.__sockaddr__, .from_size = size};
    struct descriptor *d = descriptor_for(fd, EV_IO_READ, RT_PC());
    if (!d)
        name_outside("recvfrom", RT_PC());
    ssize_t got = d ? io_receive(fd, d, do_recvfrom, &m, flags, RT_PC()) : do_recvfrom(fd, &m);
    if (got > 0)
        strings_write(to, (size_t)got, RT_PC());
    return got;
}
