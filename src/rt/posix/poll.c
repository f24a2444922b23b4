/* poll, select and epoll. What they look at is everything behind descriptors (one read of the whole
 * range), so that any operation on any of them counts. A finite timeout is a choice: it has come when
 * the thread is scheduled and nothing is ready. Sets in which no descriptor is shared between threads
 * go to the kernel, with its time. */
#include "rt/check/finding.h"
#include "rt/core/block.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/mqueue.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RANGE (8 * DESCRIPTOR_MAX_OBJECTS)
#define MAX_POLL 1024

struct poll_block {
    struct blocker block;
    struct pollfd *fds;
    nfds_t n;
};

static int look(struct pollfd *fds, nfds_t n)
{
    return (int)syscall(SYS_poll, fds, n, 0);
}

static bool poll_ready(const struct blocker *b)
{
    const struct poll_block *p = (const struct poll_block *)b;
    return look(p->fds, p->n) != 0;
}

static bool any_ours(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++)
        if (descriptor_of(fds[i].fd))
            return true;
    return false;
}

static void acquire_all(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++) {
        struct descriptor *d = descriptor_of(fds[i].fd);
        if (d && fds[i].revents) {
            sync_acquire(sync_get(d->object, SYNC_OTHER));
            d->fires = 0;
        }
    }
}

/* Timers are ready at any time; they may also not have fired yet, if something else is ready too or time
 * is up before (timeout as below). */
static int without_timers(struct pollfd *fds, nfds_t n, int ready, long timeout, const struct event *op)
{
    int timers = 0;
    struct descriptor *first = NULL; /* of those that are ready, to fire */
    for (nfds_t i = 0; i < n; i++) {
        struct descriptor *d = descriptor_of(fds[i].fd);
        if (!d || d->type != FD_TIMER || !fds[i].revents)
            continue;
        timers++;
        first = !first || d->fires < first->fires ? d : first;
    }
    if (!timers || (timers == ready && timeout < 0))
        return ready;
    if (timers == ready ? !descriptor_not_yet(first, rt.self->time + (uint64_t)timeout * 1000000)
                        : sched_branch(op, 2) == 0)
        return ready;
    for (nfds_t i = 0; i < n; i++) {
        const struct descriptor *d = descriptor_of(fds[i].fd);
        if (d && d->type == FD_TIMER)
            fds[i].revents = 0;
    }
    return ready - timers;
}

/* kind: IO_POLL or IO_TAKE; timeout: -1 none, 0 only look, otherwise some time. */
static int poll_for(struct pollfd *fds, nfds_t n, enum event_kind kind, long timeout, uint64_t pc)
{
    struct poll_block b = {.block = {.ready = poll_ready, .object = DESCRIPTOR_OBJECTS,
                                     .what = "waits until a descriptor is ready (poll)"},
                           .fds = fds, .n = n};
    cancel_point(pc);
    enum block_result r = block_wait(&b.block, &(struct block_op){kind, RANGE, .timed = timeout >= 0}, pc);
    if (r == BLOCK_TIMEOUT) {
        rt.self->time += (uint64_t)timeout * 1000000;
        return 0;
    }
    if (r == BLOCK_INTERRUPTED) {
        errno = EINTR;
        return -1;
    }
    struct event *op = &rt.next[rt.current];
    int ready = look(fds, n);
    if (ready > 0)
        ready = without_timers(fds, n, ready, timeout, op);
    if (ready == 0)
        rt.self->time += (uint64_t)timeout * 1000000;
    op->value = (uint64_t)ready;
    acquire_all(fds, n);
    sched_log(op);
    return ready;
}

/* Linux can poll message queues; their state is not the kernel's here. */
static void warn_of_queue(int fd, uint64_t pc)
{
    if (!queue_is(fd))
        return;
    finding_warn(pc, "poll, select or epoll of a message queue is not under raddle's control: it is never "
                     "ready");
    finding_incomplete("the program polls a message queue");
}

static int controlled_poll(struct pollfd *fds, nfds_t n, long timeout, uint64_t pc)
{
    for (nfds_t i = 0; i < n; i++)
        warn_of_queue(fds[i].fd, pc);
    if (any_ours(fds, n) || (n == 0 && timeout < 0))
        return poll_for(fds, n, EV_IO_POLL, timeout, pc);
    if (n == 0) { /* a way to sleep */
        usleep((useconds_t)timeout * 1000);
        return 0;
    }
    int ready = look(fds, n);
    return ready || timeout == 0 ? ready : REAL(poll)(fds, n, (int)timeout);
}

/* What a poll reads and writes. */
static void announce(const struct pollfd *fds, nfds_t n, uintptr_t pc)
{
    for (nfds_t i = 0; i < n; i++) {
        strings_read(&fds[i], offsetof(struct pollfd, revents), pc);
        strings_write(&fds[i].revents, sizeof fds[i].revents, pc);
    }
}

RT_EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    PASSIVE(poll, fds, n, timeout);
    announce(fds, n, RT_PC());
    return controlled_poll(fds, n, timeout, RT_PC());
}

/* The wait of ppoll & co. with another mask of signals: a signal that is pending already ends it. */
static bool mask_for_wait(const sigset_t *mask, uint64_t *before)
{
    *before = rt.self->mask;
    if (!mask)
        return false;
    uint32_t handled = signals_handled();
    rt_copy(&rt.self->mask, mask, sizeof rt.self->mask);
    signals_attend();
    if (signals_handled() == handled)
        return false;
    rt.self->mask = *before;
    errno = EINTR;
    return true;
}

static int with_mask(int result, uint64_t before)
{
    if (rt.self->mask != before) {
        rt.self->mask = before;
        signals_attend();
    }
    return result;
}

static long milliseconds(const struct timespec *t)
{
    return t ? t->tv_sec * 1000 + (t->tv_nsec + 999999) / 1000000 : -1;
}

RT_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                    const sigset_t *mask)
{
    PASSIVE(ppoll, fds, n, timeout, mask);
    announce(fds, n, RT_PC());
    uint64_t before;
    if (mask_for_wait(mask, &before))
        return -1;
    return with_mask(controlled_poll(fds, n, milliseconds(timeout), RT_PC()), before);
}

/* ---- select ----------------------------------------------------------------------------------- */

static nfds_t to_poll(struct pollfd *fds, int n, const fd_set *r, const fd_set *w, const fd_set *e)
{
    nfds_t count = 0;
    for (int fd = 0; fd < n && fd < MAX_POLL; fd++) {
        int events = (r && FD_ISSET(fd, r) ? POLLIN : 0) | (w && FD_ISSET(fd, w) ? POLLOUT : 0) |
                     (e && FD_ISSET(fd, e) ? POLLPRI : 0);
        if (events)
            fds[count++] = (struct pollfd){.fd = fd, .events = (short)events};
    }
    return count;
}

static int keep_if(fd_set *set, int fd, bool ready)
{
    if (!set || !FD_ISSET(fd, set))
        return 0;
    if (!ready)
        FD_CLR(fd, set);
    return ready;
}

static int from_poll(const struct pollfd *fds, nfds_t n, fd_set *r, fd_set *w, fd_set *e)
{
    int count = 0;
    for (nfds_t i = 0; i < n; i++) {
        int fd = fds[i].fd, got = fds[i].revents;
        count += keep_if(r, fd, got & (POLLIN | POLLHUP | POLLERR));
        count += keep_if(w, fd, got & (POLLOUT | POLLERR));
        count += keep_if(e, fd, got & POLLPRI);
    }
    return count;
}

static int controlled_select(int n, fd_set *r, fd_set *w, fd_set *e, long timeout, uint64_t pc)
{
    struct pollfd fds[MAX_POLL];
    nfds_t count = to_poll(fds, n, r, w, e);
    if (controlled_poll(fds, count, timeout, pc) < 0)
        return -1;
    return from_poll(fds, count, r, w, e);
}

static void announce_sets(int n, const fd_set *r, const fd_set *w, const fd_set *e, uintptr_t pc)
{
    size_t bytes = n > 0 ? ((size_t)n + 63) / 64 * 8 : 0;
    strings_write(r, r ? bytes : 0, pc);
    strings_write(w, w ? bytes : 0, pc);
    strings_write(e, e ? bytes : 0, pc);
}

RT_EXPORT int select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout)
{
    PASSIVE(select, n, r, w, e, timeout);
    announce_sets(n, r, w, e, RT_PC());
    long ms = timeout ? timeout->tv_sec * 1000 + (timeout->tv_usec + 999) / 1000 : -1;
    return controlled_select(n, r, w, e, ms, RT_PC());
}

RT_EXPORT int pselect(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
                      const sigset_t *mask)
{
    PASSIVE(pselect, n, r, w, e, timeout, mask);
    announce_sets(n, r, w, e, RT_PC());
    uint64_t before;
    if (mask_for_wait(mask, &before))
        return -1;
    return with_mask(controlled_select(n, r, w, e, milliseconds(timeout), RT_PC()), before);
}

/* ---- epoll ------------------------------------------------------------------------------------ */

/* Of this execution: something that a wait takes away (edges, one shot), descriptors that are watched. */
static struct {
    uint32_t generation;
    bool takes;
    int watched;
} epolls;

static void note_watched(int what, const struct epoll_event *event)
{
    if (epolls.generation != rt.generation)
        epolls = (typeof(epolls)){.generation = rt.generation};
    epolls.watched += what == EPOLL_CTL_ADD;
    epolls.takes |= event && event->events & (EPOLLET | EPOLLONESHOT);
}

/* One that finds more than it has room for begins with the others next time. */
static bool takes(int room)
{
    return epolls.generation == rt.generation && (epolls.takes || room < epolls.watched);
}

RT_EXPORT int epoll_ctl(int ep, int what, int fd, struct epoll_event *event)
{
    struct descriptor *d = descriptor_of(ep);
    strings_read(event, event ? sizeof *event : 0, RT_PC());
    if (!d)
        return REAL(epoll_ctl)(ep, what, fd, event);
    warn_of_queue(fd, RT_PC());
    note_watched(what, event);
    descriptor_change(d, RT_PC());
    int status = REAL(epoll_ctl)(ep, what, fd, event);
    descriptor_done(d, status);
    return status;
}

static int epoll_for(int ep, struct epoll_event *events, int n, int timeout, uint64_t pc)
{
    struct pollfd p = {.fd = ep, .events = POLLIN};
    int ready = poll_for(&p, 1, takes(n) ? EV_IO_TAKE : EV_IO_POLL, timeout, pc);
    if (ready <= 0)
        return ready;
    ready = (int)syscall(SYS_epoll_wait, ep, events, n, 0);
    acquire_all(&p, 1);
    for (int fd = 0; fd < DESCRIPTORS; fd++) { /* which of its descriptors it was is not known */
        struct descriptor *d = descriptor_of(fd);
        if (d && d->type != FD_EPOLL) {
            sync_acquire(sync_get(d->object, SYNC_OTHER));
            d->fires = 0;
        }
    }
    if (ready > 0)
        strings_write(events, (size_t)ready * sizeof *events, pc);
    return ready;
}

RT_EXPORT int epoll_wait(int ep, struct epoll_event *events, int n, int timeout)
{
    PASSIVE(epoll_wait, ep, events, n, timeout);
    return epoll_for(ep, events, n, timeout, RT_PC());
}

RT_EXPORT int epoll_pwait(int ep, struct epoll_event *events, int n, int timeout,
                          const sigset_t *mask)
{
    PASSIVE(epoll_pwait, ep, events, n, timeout, mask);
    uint64_t before;
    if (mask_for_wait(mask, &before))
        return -1;
    return with_mask(epoll_for(ep, events, n, timeout, RT_PC()), before);
}

/* Not in every C library's headers. */
int epoll_pwait2(int ep, struct epoll_event *events, int n, const struct timespec *timeout,
                 const sigset_t *mask);
RT_EXPORT int epoll_pwait2(int ep, struct epoll_event *events, int n, const struct timespec *timeout,
                           const sigset_t *mask)
{
    PASSIVE(epoll_pwait2, ep, events, n, timeout, mask);
    uint64_t before;
    if (mask_for_wait(mask, &before))
        return -1;
    return with_mask(epoll_for(ep, events, n, (int)milliseconds(timeout), RT_PC()), before);
}
