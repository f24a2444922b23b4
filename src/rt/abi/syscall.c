/* System calls made directly through syscall(2): futexes are modelled (futex.c), a few others are what the
 * libc function of the same name is, some are harmless; whatever else could block or communicate is let
 * through, but named with its place, and the verdict is incomplete. The runtime's own system calls come
 * through here too and go straight on. */
#include "rt/abi/futex.h"
#include "rt/abi/trap.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"
#include "rt/posix/process_state.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/epoll.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long raw(long number, const long a[6])
{
    long result = rt_syscall(number, a);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

static long fail(int error)
{
    errno = error;
    return -1;
}

/* What makes a process or replaces it is not performed. */
static bool is_process(long number)
{
    return number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork ||
           number == SYS_execve || number == SYS_execveat || number == SYS_ptrace;
}

static long unknown(long number, const long a[6], bool library, uint64_t pc)
{
    const char *name = trap_name(number), *how = library ? "in the C library" : "made directly";
    const char *what = number == SYS_futex ? " (other than wait, wake, requeue)" : "";
    finding_warn(pc, "system call %s%s %s: %s", name, what, how,
                 is_process(number) ? "it fails with ENOSYS" : "raddle does not control it");
    finding_incomplete("system call %s%s %s", name, what, how);
    if (is_process(number))
        process_note_refused(REFUSED_PROCESS, name);
    if (is_process(number))
        return fail(ENOSYS);
    rt.in_call = name;
    long result = raw(number, a);
    rt.in_call = NULL;
    return result;
}

/* pthread_mutex_init asks by an unlock whether there are priorities. */
static long futex(const long a[6], bool library, uint64_t pc)
{
    if (library && (a[1] & FUTEX_CMD_MASK) == FUTEX_UNLOCK_PI)
        return raw(SYS_futex, a);
    long result = futex_call(a, pc);
    return result == FUTEX_UNKNOWN ? unknown(SYS_futex, a, library, pc) : result;
}

/* ---- the others ------------------------------------------------------------------------------- */

static bool harmless(long number)
{
    static const short calls[] = {
        SYS_getuid,   SYS_geteuid,  SYS_getgid,          SYS_getegid,    SYS_getppid,
        SYS_madvise,  SYS_mprotect, SYS_membarrier,      SYS_sched_getaffinity,
        SYS_mlock,    SYS_munlock,  SYS_uname,
        SYS_getrlimit, SYS_set_robust_list, SYS_sched_setaffinity, SYS_ioprio_set,
    };
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i] == number)
            return true;
    return false;
}

/* Does it only look at a file or folder, as nobody else can change meanwhile? */
static bool looks_alone(long number, bool library)
{
    static const short calls[] = {SYS_fstat, SYS_stat,   SYS_lstat,   SYS_getdents64,
                                  SYS_statx, SYS_access, SYS_readlink};
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i] == number)
            return library || rt.threads == 1;
    return false;
}

/* Is it one that only --match states is to know of? */
static bool is_kept(long number, const long a[6], bool library)
{
    char what[96];
    if (!trap_kept(number))
        return false;
    rt_format(what, sizeof what, "system call %s changes what the kernel keeps", trap_name(number));
    if (number != SYS_prlimit64 || a[2]) /* which also asks */
        capture_changes(what);
    return library;
}

/* What cannot be controlled or undone (a process cannot leave a sandbox again, io_uring performs calls
 * behind everybody's back), but is optional: the program finds a kernel that does not have it. */
static long not_there(const char *what, uint64_t pc)
{
    finding_warn(pc, "%s: the program is told that the kernel does not have it", what);
    return fail(ENOSYS);
}

/* A thread waits for a lock inside of the C library, that of a stream for instance, which another holds
 * over an operation (flockfile). The order in which it is taken is not explored. */
static void name_library_lock(const long a[6], uint64_t pc)
{
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET)
        return;
    finding_warn(pc, "waits for a lock inside of the C library: who gets it first is not explored");
    finding_incomplete("threads wait for a lock inside of the C library");
}

long syscall_controlled(long number, const long a[6], bool library, uint64_t pc)
{
    switch (number) {
    case SYS_futex:
        if (library)
            name_library_lock(a, pc);
        return futex(a, library, pc);
    case SYS_gettid:
        return gettid();
    case SYS_getpid:
        return getpid();
    case SYS_sched_yield:
        return sched_yield();
    case SYS_getrandom:
        return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    case SYS_getrusage:
        return getrusage((int)a[0], (struct rusage *)a[1]);
    case SYS_times:
        return times((struct tms *)a[0]);
    case SYS_sysinfo:
        return sysinfo((struct sysinfo *)a[0]);
    case SYS_epoll_wait:
        return epoll_wait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3]);
    case SYS_epoll_pwait:
        return epoll_pwait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3],
                           (const sigset_t *)a[4]);
    case SYS_epoll_pwait2:
        return epoll_pwait2((int)a[0], (struct epoll_event *)a[1], (int)a[2],
                            (const struct timespec *)a[3], (const sigset_t *)a[4]);
    case SYS_getcpu:
        return getcpu((unsigned *)a[0], (unsigned *)a[1]);
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    case SYS_nanosleep:
        return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
    case SYS_read:
        return read((int)a[0], (void *)a[1], (size_t)a[2]);
    case SYS_write:
        return write((int)a[0], (const void *)a[1], (size_t)a[2]);
    case SYS_lseek:
        return lseek((int)a[0], (off_t)a[1], (int)a[2]);
    case SYS_open:
        return open((const char *)a[0], (int)a[1], (mode_t)a[2]);
    case SYS_openat:
        return openat((int)a[0], (const char *)a[1], (int)a[2], (mode_t)a[3]);
    case SYS_close:
        return close((int)a[0]);
    case SYS_exit_group:
        thread_quick_exit((int)a[0]);
    case SYS_exit:
        thread_end((void *)a[0]);
        return 0;
    case SYS_seccomp:
    case SYS_landlock_create_ruleset:
    case SYS_landlock_add_rule:
    case SYS_landlock_restrict_self:
        return not_there("a sandbox (landlock, seccomp)", pc);
    case SYS_prctl:
        return prctl((int)a[0], a[1], a[2], a[3], a[4]);
    case SYS_io_uring_setup:
        return not_there("io_uring", pc);
    default:
        if (is_kept(number, a, library) || harmless(number) || looks_alone(number, library))
            return raw(number, a);
        return unknown(number, a, library, pc);
    }
}

/* The kernel takes as much of it as there is room for. */
static int set_own_name(const char *name)
{
    char text[16];
    rt_format(text, sizeof text, "%s", name);
    return pthread_setname_np(pthread_self(), text);
}

/* Does prctl only tell something? */
static bool prctl_asks(int option)
{
    static const uint8_t asking[] = {
        PR_GET_PDEATHSIG, PR_GET_DUMPABLE,  PR_GET_KEEPCAPS,   PR_GET_SECCOMP,      PR_CAPBSET_READ,
        PR_GET_TSC,       PR_GET_TIMERSLACK, PR_GET_SECUREBITS, PR_GET_NO_NEW_PRIVS, PR_GET_THP_DISABLE,
    };
    for (unsigned i = 0; i < sizeof asking; i++)
        if (asking[i] == option)
            return true;
    return false;
}

/* Names of threads and the like; seccomp by its older name. */
RT_EXPORT int prctl(int option, ...)
{
    long a[6] = {option};
    va_list ap;
    va_start(ap, option);
    for (int i = 1; i < 5; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    if (rt.active && option == PR_SET_SECCOMP)
        return (int)not_there("a sandbox (seccomp)", RT_CALLER());
    if (rt.worker && option == PR_SET_PDEATHSIG)
        return 0; /* a worker dies with its host, whatever the program wants */
    if (rt.active && option == PR_SET_NAME)
        return set_own_name((const char *)a[1]);
    if (rt.active && option == PR_GET_NAME)
        return pthread_getname_np(pthread_self(), (char *)a[1], 16);
    if (rt.active && !prctl_asks(option))
        capture_changes("system call prctl changes what the kernel keeps");
    return (int)raw(SYS_prctl, a);
}

RT_EXPORT long(syscall)(long number, ...)
{
    long a[6];
    va_list ap;
    va_start(ap, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    if (!rt.active || !rt_from_program(RT_PC()))
        return raw(number, a);
    return syscall_controlled(number, a, false, RT_CALLER());
}
