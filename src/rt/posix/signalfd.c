/* signalfd. Reading one is waiting for its signals, as sigwaitinfo does. For poll, select and epoll there is
 * an eventfd underneath, ready while one of the signals is pending for the process. Whoever sends or takes a
 * signal puts that right in a step of its own, on the descriptor's object: those who poll look at descriptors
 * only. So a poll between the two steps sees what was before, as if it had come before the signal. */
#include "rt/posix/signalfd.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t watched; /* by any of them in this execution */

void signalfd_reset(void)
{
    watched = 0;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static void put_right(int fd, const struct descriptor *d)
{
    uint64_t count = 1;
    bool pending = signals_pending(d->signals), ready = descriptor_ready(fd, POLLIN);
    if (pending && !ready)
        syscall(SYS_write, fd, &count, sizeof count);
    else if (ready && !pending)
        syscall(SYS_read, fd, &count, sizeof count);
}

static const struct descriptor *watching(int fd, int sig)
{
    const struct descriptor *d = descriptor_of(fd);
    return d && d->type == FD_SIGNAL && d->signals & SIGNAL_BIT(sig) ? d : NULL;
}

void signalfd_changed(int sig)
{
    if (RT_LIKELY(!(watched & SIGNAL_BIT(sig))))
        return;
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        const struct descriptor *d = watching(fd, sig);
        if (d)
            put_right(fd, d);
    }
}

void signalfd_follow(int sig, uint64_t pc)
{
    if (RT_LIKELY(!(watched & SIGNAL_BIT(sig))))
        return;
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        const struct descriptor *d = watching(fd, sig);
        if (!d)
            continue;
        struct descriptor before = *d;
        descriptor_change(&before, pc);
        d = watching(fd, sig);
        if (d && d->object == before.object)
            put_right(fd, d);
        descriptor_done(&before, 0);
    }
}

void signalfd_missed(int sig)
{
    if (RT_UNLIKELY(watched & SIGNAL_BIT(sig)))
        finding_incomplete("a signal that a signalfd is read for is sent to one thread, or handled by a "
                           "thread that does not block it: poll does not see that");
}

long signalfd_read(const struct descriptor *d, void *to, size_t n, uint64_t pc)
{
    struct signalfd_siginfo said = {0};
    siginfo_t info;
    if (n < sizeof said)
        return fail(EINVAL);
    uint64_t set = d->signals;
    int sig = signals_wait_for(set, &info, d->nonblocking, pc);
    if (sig < 0)
        return -1;
    said.ssi_signo = (uint32_t)sig;
    said.ssi_code = info.si_code;
    said.ssi_pid = (uint32_t)getpid();
    said.ssi_uid = getuid();
    said.ssi_int = info.si_value.sival_int;
    said.ssi_ptr = (uintptr_t)info.si_value.sival_ptr;
    rt_copy(to, &said, sizeof said);
    if (n >= 2 * sizeof said && signals_pending(set))
        finding_incomplete("a read of a signalfd takes one signal, though there are more and room for them");
    return sizeof said;
}

RT_EXPORT int signalfd(int fd, const sigset_t *mask, int flags)
{
    PASSIVE(signalfd, fd, mask, flags);
    if (fd < 0) {
        int made = descriptor_made(REAL(eventfd)(0, flags & SFD_CLOEXEC ? EFD_CLOEXEC : 0), FD_SIGNAL,
                                   flags & SFD_NONBLOCK, RT_PC());
        if (made < 0)
            return made;
        fd = made;
    }
    struct descriptor *d = descriptor_of(fd);
    if (!d || d->type != FD_SIGNAL)
        return fail(EINVAL);
    rt_copy(&d->signals, mask, sizeof d->signals);
    d->signals &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
    watched |= d->signals;
    struct descriptor now = *d;
    descriptor_change(&now, RT_PC());
    put_right(fd, &now);
    descriptor_done(&now, 0);
    return fd;
}
