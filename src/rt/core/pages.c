/* A page of a file is cheapest when it is written through the descriptor (a third less than to touch it: the
 * kernel need not clear what it copies over), and then read: that maps its neighbours too. */
#include "rt/core/pages.h"

#include "base/ensure.h"
#include "trace/shared.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 64, MAPPED_AT_ONCE = 16 * PAGE };

static int shared_fd = -1;
static struct stat shared_file;

void pages_of(int fd)
{
    ensure(fd >= 0);
    shared_fd = fd;
    syscall(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
    syscall(SYS_fstat, fd, &shared_file);
}

/* Not if the program has closed the descriptor, or has set a limit to its files: it would get a signal. */
static bool may_write(void)
{
    struct rlimit most;
    struct stat now;
    return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &most) == 0 && most.rlim_cur == RLIM_INFINITY &&
           syscall(SYS_fstat, shared_fd, &now) == 0 && now.st_ino == shared_file.st_ino &&
           now.st_dev == shared_file.st_dev;
}

void pages_will_use(void *from, size_t size)
{
    static char zeros[PAGE];
    struct iovec pieces[AT_ONCE];
    uintptr_t first = ((uintptr_t)from + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)from + size) & ~(uintptr_t)(PAGE - 1), at = first;
    ensure(first >= SHARED_BASE && end <= SHARED_BASE + SHARED_SIZE);
    if (first >= end || !may_write())
        return;
    for (int i = 0; i < AT_ONCE; i++)
        pieces[i] = (struct iovec){zeros, PAGE};
    for (long n = 1; n > 0 && at < end; at += (uintptr_t)n) {
        size_t pages = (end - at) / PAGE;
        n = syscall(SYS_pwritev, shared_fd, pieces, pages < AT_ONCE ? pages : AT_ONCE, at - SHARED_BASE, 0);
        if (n < 0)
            return; /* touching will tell */
    }
    for (at = first; at < end; at = (at | (MAPPED_AT_ONCE - 1)) + 1)
        (void)*(volatile char *)at;
}
