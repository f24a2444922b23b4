/* fcntl and ioctl of descriptors between threads. Whether one is blocking, and how much is in it, others
 * change: setting and asking are steps. */
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/posix/clock.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/numbers.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void look_at(int fd, const struct descriptor *d, uint64_t pc)
{
    if (thread_alone())
        return;
    struct event *op = sched_op(EV_NUMBER_USE, d->object, 8, pc);
    sched_visit();
    op->value = (uint64_t)fd;
    sched_log(op);
}

static void set_blocking(struct descriptor *d, bool nonblocking, uint64_t pc)
{
    struct descriptor was = *d;
    bool step = nonblocking != d->nonblocking && !thread_alone();
    if (step)
        descriptor_change(&was, pc);
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        struct descriptor *copy = descriptor_of(fd);
        if (copy && copy->description == was.description)
            copy->nonblocking = nonblocking;
    }
    if (step)
        descriptor_done(&was, 0);
}

/* Limits of waits are the runtime's: in the kernel nobody waits. */
RT_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
    struct descriptor *d = descriptor_of(fd);
    const struct timeval *t = value;
    strings_read(value, size, RT_PC());
    int status = REAL(setsockopt)(fd, level, option, value, size);
    bool limit = level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
    if (!d || status || !limit || size < sizeof *t)
        return status;
    for (int i = 0; i < DESCRIPTORS; i++) {
        struct descriptor *copy = descriptor_of(i);
        if (copy && copy->description == d->description)
            copy->limits[option == SO_SNDTIMEO] = clock_of_timeval(t);
    }
    return 0;
}

static int descriptor_fcntl(int fd, struct descriptor *d, int command, long arg, uint64_t pc)
{
    long flags;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        numbers_before_open(pc);
        return descriptor_copied(fd, (int)syscall(SYS_fcntl, fd, command, arg), pc);
    case F_GETFL:
        look_at(fd, d, pc);
        flags = syscall(SYS_fcntl, fd, F_GETFL);
        return (int)(d->nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
    case F_SETFL:
        set_blocking(d, arg & O_NONBLOCK, pc);
        return (int)syscall(SYS_fcntl, fd, F_SETFL, arg | O_NONBLOCK);
    default:
        return (int)syscall(SYS_fcntl, fd, command, arg);
    }
}

/* Locks of open files: closing one gives it back, which is no step. Those of the process (F_SETLK) concern
 * no other thread. */
static int file_lock(int fd, int command, struct flock *lock, uint64_t pc)
{
    bool asks = command == F_OFD_GETLK;
    struct event *op = file_step_fd(fd, asks, pc);
    if (op) {
        finding_warn(pc, "locks of open files are not under raddle's control: the order of taking them is "
                         "explored, not when closing a file gives one back");
        finding_incomplete("threads lock files");
    }
    rt.in_call = op && command == F_OFD_SETLKW ? "fcntl" : NULL;
    int result = (int)syscall(SYS_fcntl, fd, command, lock);
    rt.in_call = NULL;
    file_step_done(op, !asks && result == 0);
    return result;
}

static bool is_file_lock(int command)
{
    return command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

#define FCNTL(name)                                                                                \
    RT_EXPORT int name(int fd, int command, ...)                                                   \
    {                                                                                              \
        va_list ap;                                                                                \
        va_start(ap, command);                                                                     \
        long arg = va_arg(ap, long);                                                               \
        va_end(ap);                                                                                \
        struct descriptor *d = descriptor_of(fd);                                                  \
        rt.files_opened = true;                                                                    \
        if (is_file_lock(command))                                                                 \
            return file_lock(fd, command, (struct flock *)arg, RT_PC());                           \
        return d ? descriptor_fcntl(fd, d, command, arg, RT_PC()) : REAL(name)(fd, command, arg);  \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* Those of raddle, which lie above, stay open. */
RT_EXPORT int close_range(unsigned from, unsigned to, int flags)
{
    PASSIVE(close_range, from, to, flags);
    if (flags & (int)CLOSE_RANGE_CLOEXEC)
        return 0; /* nothing is executed */
    for (unsigned fd = from; fd <= to && fd < WORKER_FDS; fd++)
        if (syscall(SYS_fcntl, fd, F_GETFD) >= 0)
            close((int)fd);
    return 0;
}

RT_EXPORT void closefrom(int from)
{
    close_range((unsigned)(from > 0 ? from : 0), ~0u, 0);
}

RT_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list ap;
    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    struct descriptor *d = descriptor_of(fd);
    if (request == FIONREAD)
        strings_write(arg, sizeof(int), RT_PC());
    if (d && request == FIONBIO) {
        set_blocking(d, *(int *)arg != 0, RT_PC());
        return 0;
    }
    if (d)
        look_at(fd, d, RT_PC());
    return REAL(ioctl)(fd, request, arg);
}
