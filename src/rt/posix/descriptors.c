/* Descriptors between threads: pipes, socket pairs, sockets to oneself, eventfds, timerfds, epolls.
 * The kernel's object does the work, but never blocks: the descriptor is non-blocking underneath and
 * an operation may be performed when poll() says that it would succeed. The program's own wish for
 * O_NONBLOCK is kept here. A duplicate shares the object of its original; both ends of a pipe or of a
 * pair of sockets are one object; all sockets with a name are one object.
 *
 * A timer is a counter that is ready as soon as it is set: time may pass at any moment. */
#include "rt/posix/descriptors.h"

#include "rt/check/finding.h"
#include "rt/core/block.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/numbers.h"
#include "rt/posix/strings.h"
#include "rt/sym/outside.h"
#include "rt/tell/story.h"

#include "rt/posix/clock.h"
#include "rt/core/interpose.h"
#include "rt/core/spin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static struct descriptor table[DESCRIPTORS];
static int used; /* above all entries in use */
static uint32_t objects, descriptions;
static bool opened_late; /* some of them were opened when there was more than one thread */

void descriptors_reset(void)
{
    if (used)
        rt_fill(table, 0, (size_t)used * sizeof table[0]);
    used = 0;
    objects = 1;
    opened_late = false;
    numbers_reset();
}

uint64_t descriptor_new_object(void)
{
    if (objects == DESCRIPTOR_MAX_OBJECTS)
        finding_limit(LIMIT_DESCRIPTORS, DESCRIPTOR_MAX_OBJECTS);
    return DESCRIPTOR_OBJECTS + 8 * (objects++ % DESCRIPTOR_MAX_OBJECTS);
}

uint64_t descriptor_network(void)
{
    return DESCRIPTOR_OBJECTS;
}

/* Numbers are given again, the lowest first. Who may have which when is not explored. */
static void number_depends(void)
{
    finding_incomplete("a thread uses the number of a descriptor that another thread closed, and "
                       "descriptors are opened by threads: which of them has the number is not explored");
}

static bool knows_opening(const struct descriptor *d)
{
    const struct vclock *c = &rt.self->clock;
    return d->opener == rt.current || (d->opener < c->n && c->c[d->opener] >= d->opened);
}

struct descriptor *descriptor_for(int fd, enum event_kind kind, uint64_t pc)
{
    struct descriptor *d = descriptor_of(fd);
    if (d) {
        numbers_before_use(fd, pc);
        numbers_used(false);
        d = descriptor_of(fd);
    }
    if (RT_UNLIKELY(d && opened_late && !knows_opening(d)))
        number_depends();
    if (d || !rt.active || fd < 0 || fd >= used || !table[fd].object)
        return d;
    struct descriptor closed = table[fd];
    sched_op(kind, closed.object, 8, pc)->other = DESCRIPTOR_OPAQUE;
    sched_visit();
    errno = EAGAIN;
    descriptor_done(&closed, -1);
    if (opened_late)
        number_depends();
    return descriptor_of(fd);
}

struct descriptor *descriptor_of(int fd)
{
    return rt.active && fd >= 0 && fd < used && table[fd].type != FD_OTHER ? &table[fd] : NULL;
}

void descriptor_adopt(int fd, enum descriptor_type type, uint64_t object, bool nonblocking)
{
    if (fd >= DESCRIPTORS)
        finding_limit(LIMIT_DESCRIPTORS, DESCRIPTORS);
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    if (fd >= used)
        used = fd + 1;
    table[fd] = (struct descriptor){.type = (uint8_t)type, .nonblocking = nonblocking,
                                    .object = object, .receives = DESCRIPTOR_OPAQUE,
                                    .sends = DESCRIPTOR_OPAQUE, .opener = (uint16_t)rt.current,
                                    .opened = rt.self->clock.c[rt.current],
                                    .description = ++descriptions};
    opened_late |= rt.threads > 1;
    if (type != FD_EPOLL && type != FD_RANDOM) {
        long flags = syscall(SYS_fcntl, fd, F_GETFL);
        syscall(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    }
}

bool descriptor_ready(int fd, int events)
{
    struct pollfd p = {.fd = fd, .events = (short)events};
    return syscall(SYS_poll, &p, 1, 0) > 0;
}

void descriptor_opaque(struct descriptor *d)
{
    d->receives = d->sends = DESCRIPTOR_OPAQUE;
}

struct fd_block {
    struct blocker block;
    int fd, events, thread;
};

/* One that is made not blocking ends no wait that has begun. */
static bool fd_ready(const struct blocker *b)
{
    const struct fd_block *f = (const struct fd_block *)b;
    return (table[f->fd].nonblocking && rt.all[f->thread].block != b) || descriptor_ready(f->fd, f->events);
}

/* Another one may have been opened under the number since the operation was announced. */
static void check_number(int fd, const struct descriptor *d)
{
    if (RT_UNLIKELY(table[fd].object != d->object))
        number_depends();
}

int descriptor_wait(int fd, struct descriptor *d, enum event_kind kind, int events, uint64_t pc)
{
    struct fd_block b = {.block = {.ready = fd_ready, .object = d->object,
                                   .what = events & POLLIN ? "waits to receive from {}"
                                                           : "waits until {} has room"},
                         .fd = fd, .events = events, .thread = rt.current};
    uint64_t direction = events & POLLIN ? d->receives : d->sends;
    cancel_point(pc);
    if (d->nonblocking) {
        struct event *op = sched_op(kind, d->object, 8, pc);
        op->other = direction;
        spin_before_read(op);
        sched_visit();
        check_number(fd, d);
        return 0;
    }
    uint64_t limit = d->limits[!(events & POLLIN)];
    struct block_op op = {kind, 8, direction, .timed = limit != 0};
    enum block_result r = block_wait(&b.block, &op, pc);
    check_number(fd, d);
    if (r == BLOCK_TIMEOUT)
        rt.self->time += limit;
    return r == BLOCK_READY ? 0 : r == BLOCK_TIMEOUT ? EAGAIN : EINTR;
}

void descriptor_change(const struct descriptor *d, uint64_t pc)
{
    sched_op(EV_IO_WRITE, d->object, 8, pc)->other = DESCRIPTOR_OPAQUE;
    sched_visit();
}

void descriptor_done(struct descriptor *d, long result)
{
    int error = errno;
    struct event *op = &rt.next[rt.current];
    struct sync *s = sync_get(d->object, SYNC_OTHER);
    op->value = result < 0 ? 0 : (uint64_t)result;
    if (result < 0 && errno == EAGAIN)
        op->flags |= EVENT_FAILED;
    else
        sync_acquire(s);
    object_perform(&s->now, op);
    if (op->kind != EV_IO_READ)
        sync_release(s);
    block_done(op);
    errno = error;
}

/* A loop may look again and again. */
#define NOT_YET 2

bool descriptor_not_yet(struct descriptor *d, uint64_t until)
{
    if (d->type != FD_TIMER || d->fires <= until)
        return false;
    if (d->not_yet == NOT_YET) {
        finding_incomplete("a timer is looked at again and again: the third time it has gone off");
        return false;
    }
    d->not_yet++;
    return sched_branch(&rt.next[rt.current], 2) == 1;
}

/* ---- making ----------------------------------------------------------------------------------- */

static void tell_name(uint64_t object, const char *what, int fd, int fd2)
{
    char name[64];
    if (!rt.recording)
        return;
    if (fd2 < 0)
        rt_format(name, sizeof name, "%s %d", what, fd);
    else
        rt_format(name, sizeof name, "%s %d-%d", what, fd, fd2);
    story_name(object, 8, name);
}

static int adopt_pair(int status, const int fds[2], enum descriptor_type type, bool stream, int nonblocking,
                      uint64_t pc)
{
    rt.files_opened = true;
    numbers_opened(fds, status ? 0 : 2, pc);
    if (!rt.active || status)
        return status;
    uint64_t object = descriptor_new_object();
    descriptor_adopt(fds[0], type, object, nonblocking);
    descriptor_adopt(fds[1], type, object, nonblocking);
    for (int i = 0; stream && i < 2; i++)
        if (fds[i] < DESCRIPTORS) {
            table[fds[i]].receives = (uint8_t)i;
            table[fds[i]].sends = (uint8_t)(1 - i);
        }
    tell_name(object, type == FD_PIPE ? "pipe" : "socket pair", fds[0], fds[1]);
    return 0;
}

RT_EXPORT int pipe(int fds[2])
{
    strings_write(fds, 2 * sizeof *fds, RT_PC());
    numbers_before_open(RT_PC());
    return adopt_pair(REAL(pipe)(fds), fds, FD_PIPE, true, 0, RT_PC());
}

RT_EXPORT int pipe2(int fds[2], int flags)
{
    strings_write(fds, 2 * sizeof *fds, RT_PC());
    numbers_before_open(RT_PC());
    return adopt_pair(REAL(pipe2)(fds, flags), fds, FD_PIPE, !(flags & O_DIRECT), flags & O_NONBLOCK,
                      RT_PC());
}

RT_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
    strings_write(fds, 2 * sizeof *fds, RT_PC());
    numbers_before_open(RT_PC());
    return adopt_pair(REAL(socketpair)(domain, type, protocol, fds), fds, FD_SOCKET,
                      (type & 0xf) == SOCK_STREAM, type & SOCK_NONBLOCK, RT_PC());
}

int descriptor_made(int fd, enum descriptor_type type, bool nonblocking, uint64_t pc)
{
    rt.files_opened = true;
    numbers_opened(&fd, 1, pc);
    if (!rt.active || fd < 0)
        return fd;
    uint64_t object = descriptor_new_object();
    descriptor_adopt(fd, type, object, nonblocking);
    tell_name(object, type == FD_EVENT    ? "eventfd"
                      : type == FD_TIMER  ? "timer"
                      : type == FD_SIGNAL ? "signalfd"
                                          : "epoll",
              fd, -1);
    return fd;
}

RT_EXPORT int eventfd(unsigned value, int flags)
{
    numbers_before_open(RT_PC());
    return descriptor_made(REAL(eventfd)(value, flags), FD_EVENT, flags & EFD_NONBLOCK, RT_PC());
}

RT_EXPORT int epoll_create1(int flags)
{
    numbers_before_open(RT_PC());
    return descriptor_made(REAL(epoll_create1)(flags), FD_EPOLL, false, RT_PC());
}

RT_EXPORT int epoll_create(int size)
{
    numbers_before_open(RT_PC());
    return descriptor_made(REAL(epoll_create)(size), FD_EPOLL, false, RT_PC());
}

RT_EXPORT int timerfd_create(int clock, int flags)
{
    if (!rt.active)
        return REAL(timerfd_create)(clock, flags);
    numbers_before_open(RT_PC());
    return descriptor_made(REAL(eventfd)(0, 0), FD_TIMER, flags & TFD_NONBLOCK, RT_PC());
}

RT_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *new,
                              struct itimerspec *old)
{
    PASSIVE(timerfd_settime, fd, flags, new, old);
    struct descriptor *d = descriptor_of(fd);
    if (!d || d->type != FD_TIMER) {
        errno = EINVAL;
        return -1;
    }
    uint64_t count = 1;
    strings_read(new, sizeof *new, RT_PC());
    descriptor_change(d, RT_PC());
    if (old)
        *old = (struct itimerspec){0};
    syscall(SYS_read, fd, &(uint64_t){0}, 8);
    if (new->it_value.tv_sec || new->it_value.tv_nsec)
        syscall(SYS_write, fd, &count, 8);
    d->periodic = new->it_interval.tv_sec || new->it_interval.tv_nsec;
    d->not_yet = 0;
    d->fires = (new->it_value.tv_sec || new->it_value.tv_nsec) && !(flags & TFD_TIMER_ABSTIME)
                   ? rt.self->time + clock_of_timespec(&new->it_value)
                   : 0;
    descriptor_done(d, 0);
    return 0;
}

RT_EXPORT int timerfd_gettime(int fd, struct itimerspec *now)
{
    PASSIVE(timerfd_gettime, fd, now);
    *now = (struct itimerspec){.it_value.tv_nsec = 1};
    return 0;
}

/* ---- copying and closing ---------------------------------------------------------------------- */

int descriptor_copied(int from, int to, uint64_t pc)
{
    rt.files_opened = true;
    numbers_opened(&to, 1, pc);
    struct descriptor *d = descriptor_of(from);
    if (d && to >= 0 && to <= 2) {
        finding_warn(pc, "a standard stream becomes a pipe or socket: what goes through the stream is not "
                         "under raddle's control");
        finding_incomplete("a standard stream is redirected to a pipe or socket");
    }
    if (to >= 0 && to < used)
        table[to] = (struct descriptor){0};
    if (d && to >= 0)
        descriptor_adopt(to, d->type, d->object, d->nonblocking);
    if (d && descriptor_of(to)) {
        table[to].receives = d->receives;
        table[to].sends = d->sends;
        table[to].signals = d->signals;
        table[to].description = d->description;
        rt_copy(table[to].limits, d->limits, sizeof d->limits);
    }
    return to;
}

RT_EXPORT int dup(int fd)
{
    numbers_before_open(RT_PC());
    return descriptor_copied(fd, REAL(dup)(fd), RT_PC());
}

RT_EXPORT int dup2(int from, int to)
{
    rt.files_touched = true;
    numbers_before_replace(to, RT_PC());
    return descriptor_copied(from, REAL(dup2)(from, to), RT_PC());
}

RT_EXPORT int dup3(int from, int to, int flags)
{
    rt.files_touched = true;
    numbers_before_replace(to, RT_PC());
    return descriptor_copied(from, REAL(dup3)(from, to, flags), RT_PC());
}

/* An end that closes is something the other end notices; and who closes it again notices who was first. */
static int close_descriptor(int fd, uint64_t pc)
{
    struct descriptor *d = rt.active && fd >= 0 && fd < used ? &table[fd] : NULL;
    if (!d || !d->object)
        return REAL(close)(fd);
    if (d->type == FD_OTHER && opened_late)
        number_depends();
    struct descriptor copy = *d;
    sched_op(EV_IO_CLOSE, d->object, 8, pc);
    sched_visit();
    int status = (int)syscall(SYS_close, fd);
    *d = (struct descriptor){.type = FD_OTHER, .object = copy.object};
    descriptor_done(&copy, status);
    return status;
}

RT_EXPORT int close(int fd)
{
    cancel_in_call(RT_PC());
    rt.files_touched = true;
    sym_was_closed(fd);
    numbers_before_close(fd, RT_PC());
    bool ours = descriptor_of(fd);
    int status = close_descriptor(fd, RT_PC());
    numbers_closed(fd, ours, RT_PC());
    return status;
}
