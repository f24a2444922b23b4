/* Files that threads share. What a call does to a file depends on what others did to it before, so once there
 * is more than one thread, calls that look at a file or change it are steps on one object: its path, whatever
 * it is opened through. Renaming is a step on both. Reading moves the position, which others may read on
 * from: a change. What is written to standard output, devices and what the kernel makes up are none of it:
 * nobody in the program notices. */
#include "rt/posix/file_steps.h"

#include "rt/check/finding.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/files.h"
#include "rt/posix/folders.h"
#include "rt/posix/numbers.h"
#include "rt/posix/pinned.h"
#include "rt/posix/strings.h"
#include "rt/tell/story.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool path_of_fd(int fd, char out[PATH_MAX])
{
    static const char gone[] = " (deleted)";
    char link[64];
    rt_format(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = syscall(SYS_readlink, link, out, PATH_MAX - 1);
    if (n <= 0 || out[0] != '/')
        return false;
    out[n] = 0;
    size_t tail = sizeof gone - 1;
    if ((size_t)n > tail && !strcmp(out + (size_t)n - tail, gone))
        out[(size_t)n - tail] = 0;
    return true;
}

static bool absolute(int at, const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (path[0] == '/')
        folder[0] = 0;
    else if (at == AT_FDCWD ? syscall(SYS_getcwd, folder, sizeof folder) < 0 : !path_of_fd(at, folder))
        return false;
    int n = rt_format(out, PATH_MAX, "%s%s%s", folder, folder[0] ? "/" : "", path);
    return n > 0 && n < PATH_MAX;
}

static void resolve_link(char path[PATH_MAX])
{
    char real[PATH_MAX];
    long fd = syscall(SYS_open, path, O_PATH | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (path_of_fd((int)fd, real))
        rt_copy(path, real, strlen(real) + 1);
    syscall(SYS_close, fd);
}

bool file_path(int at, const char *path, bool follow, char out[])
{
    if (!absolute(at, path, out))
        return false;
    if (follow)
        resolve_link(out);
    if (!strncmp(out, "/dev/shm/", 9))
        return true;
    return strncmp(out, "/dev/", 5) && strncmp(out, "/proc/", 6) && strncmp(out, "/sys/", 5);
}

/* Files without a name (tmpfile, memfd_create) are one object: the kernel's names for them change. */
static uint64_t object_of(const char *path)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    if (strstr(path, "/#") || !strncmp(path, "/memfd:", 7))
        path = "";
    for (const char *c = path; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3ull;
    return FILE_OBJECTS + 8 * (hash >> 36);
}

void file_state_is_elsewhere(void)
{
    static uint32_t generation;
    static int user;
    if (RT_LIKELY(!rt.strategy->every_access))
        return;
    if (generation != rt.generation)
        user = rt.current;
    generation = rt.generation;
    if (user != rt.current) /* one thread knows by its own past what it finds there */
        finding_incomplete("files, streams and the C library's static memory are not part of the "
                           "states that the engine compares (--engine optimal)");
}

struct event *table_step(uint64_t object, const char *name, bool looks, uint64_t pc)
{
    file_state_is_elsewhere();
    if (rt.recording)
        story_name(object, 8, name);
    struct event *op = sched_op(EV_FILE, object, 8, pc);
    op->value = !looks;
    spin_before_read(op);
    sched_visit();
    return op;
}

void table_done(struct event *op, bool changed)
{
    if (!op)
        return;
    struct sync *s = sync_get(op->object, SYNC_OTHER);
    op->value = changed;
    sync_acquire(s);
    if (changed)
        sync_release(s);
    object_perform(&s->now, op);
    block_done(op);
}

struct event *file_step_known(const char *path, bool looks, uint64_t pc)
{
    if (!looks)
        capture_changes("the program changes a file, or its position");
    const char *slash = strrchr(path, '/');
    char name[80] = "";
    if (rt.recording)
        rt_format(name, sizeof name, "file %s", slash ? slash + 1 : path);
    return table_step(object_of(path), name, looks, pc);
}

static inline bool is_shared(void)
{
    return RT_UNLIKELY(rt.active && rt.threads > 1);
}

struct event *file_step_path(int at, const char *path, bool follow, bool looks, uint64_t pc)
{
    char full[PATH_MAX];
    if (!is_shared() || !path)
        return NULL;
    strings_read_text(path, SIZE_MAX, pc);
    if (!file_path(at, path, follow, full))
        return NULL;
    if (RT_UNLIKELY(folders_listed) && !looks)
        folders_before(full, pc);
    return file_step_known(full, looks, pc);
}

struct event *file_step_fd(int fd, bool looks, uint64_t pc)
{
    char full[PATH_MAX];
    struct stat st;
    numbers_before_use(fd, pc);
    if (!is_shared() || fd == STDOUT_FILENO || fd == STDERR_FILENO || descriptor_of(fd) ||
        syscall(SYS_fstat, fd, &st) || !S_ISREG(st.st_mode) || !path_of_fd(fd, full))
        return NULL;
    maps_file_used(&st, looks, pc);
    return file_step_known(full, looks, pc);
}

void file_step_done(struct event *op, bool changed)
{
    int error = errno;
    table_done(op, changed);
    if (RT_UNLIKELY(folders_listed) && op)
        folders_after();
    numbers_used(op != NULL);
    errno = error;
}

/* ---- by descriptor ---------------------------------------------------------------------------- */

/* USES(type, name, parameters, fd, looks, changes, arguments…): the call is a step on the file of fd. */
#define USES(type, name, parameters, fd, looks, changes, ...)                                      \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        struct event *op = file_step_fd(fd, looks, RT_PC());                                       \
        type result = REAL(name)(__VA_ARGS__);                                                     \
        file_step_done(op, changes);                                                               \
        return result;                                                                             \
    }
USES(off_t, lseek, (int fd, off_t to, int from), fd, false, result >= 0, fd, to, from)
USES(off64_t, lseek64, (int fd, off64_t to, int from), fd, false, result >= 0, fd, to, from)
USES(int, ftruncate, (int fd, off_t size), fd, false, result == 0, fd, size)
USES(int, ftruncate64, (int fd, off64_t size), fd, false, result == 0, fd, size)
USES(int, fallocate, (int fd, int mode, off_t at, off_t size), fd, false, result == 0, fd, mode, at, size)
USES(int, posix_fallocate, (int fd, off_t at, off_t size), fd, false, result == 0, fd, at, size)
USES(int, fchmod, (int fd, mode_t mode), fd, false, result == 0, fd, mode)
USES(int, fchown, (int fd, uid_t user, gid_t group), fd, false, result == 0, fd, user, group)
USES(int, futimens, (int fd, const struct timespec times[2]), fd, false, result == 0, fd, times)

/* What goes from one file to another without the program is performed, but not a step of both. */
#define UNCONTROLLED(name, ...)                                                                    \
    do {                                                                                           \
        if (is_shared()) {                                                                         \
            finding_warn(RT_PC(), #name "() is not under raddle's control");                       \
            finding_incomplete("threads call " #name "()");                                        \
            rt.in_call = #name;                                                                    \
        }                                                                                          \
        ssize_t result = REAL(name)(__VA_ARGS__);                                                  \
        rt.in_call = NULL;                                                                         \
        return result;                                                                             \
    } while (0)

RT_EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t n)
{
    UNCONTROLLED(sendfile, to, from, at, n);
}

RT_EXPORT ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n,
                                  unsigned flags)
{
    UNCONTROLLED(copy_file_range, from, from_at, to, to_at, n, flags);
}

#define READS_AT(name, offset_type)                                                                \
    RT_EXPORT ssize_t name(int fd, void *to, size_t n, offset_type at)                             \
    {                                                                                              \
        cancel_in_call(RT_PC());                                                                   \
        struct event *op = file_step_fd(fd, true, RT_PC());                                        \
        ssize_t got = REAL(name)(fd, to, n, at);                                                   \
        file_step_done(op, false);                                                                 \
        if (got > 0)                                                                               \
            strings_write(to, (size_t)got, RT_PC());                                               \
        return got;                                                                                \
    }
READS_AT(pread, off_t)
READS_AT(pread64, off64_t)

#define WRITES_AT(name, offset_type)                                                               \
    RT_EXPORT ssize_t name(int fd, const void *from, size_t n, offset_type at)                     \
    {                                                                                              \
        strings_read(from, n, RT_PC());                                                            \
        cancel_in_call(RT_PC());                                                                   \
        struct event *op = file_step_fd(fd, false, RT_PC());                                       \
        ssize_t put = REAL(name)(fd, from, n, at);                                                 \
        file_step_done(op, put > 0);                                                               \
        return put;                                                                                \
    }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

static void parts(const struct iovec *v, int n, ssize_t bytes, bool write, uintptr_t pc)
{
    strings_read(v, (size_t)n * sizeof *v, pc);
    for (int i = 0; i < n && bytes > 0; i++) {
        size_t here = v[i].iov_len < (size_t)bytes ? v[i].iov_len : (size_t)bytes;
        (write ? strings_write : strings_read)(v[i].iov_base, here, pc);
        bytes -= (ssize_t)here;
    }
}

/* A position of -1 is that of the file, which moves. */
#define PARTS(name, parameters, looks, ...)                                                        \
    RT_EXPORT ssize_t name parameters                                                              \
    {                                                                                              \
        cancel_in_call(RT_PC());                                                                   \
        if (!looks)                                                                                \
            parts(v, n, SSIZE_MAX, false, RT_PC());                                                \
        struct event *op = file_step_fd(fd, looks && at >= 0, RT_PC());                            \
        ssize_t result = REAL(name)(__VA_ARGS__);                                                  \
        file_step_done(op, result > 0 && !(looks && at >= 0));                                     \
        if (looks)                                                                                 \
            parts(v, n, result, true, RT_PC());                                                    \
        return result;                                                                             \
    }
PARTS(preadv, (int fd, const struct iovec *v, int n, off_t at), true, fd, v, n, at)
PARTS(preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags), true, fd, v, n, at, flags)
PARTS(pwritev, (int fd, const struct iovec *v, int n, off_t at), false, fd, v, n, at)
PARTS(pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags), false, fd, v, n, at, flags)

/* What is written is written anyway: only their threads can be cancelled there. */
#define WAITS(name)                                                                                \
    RT_EXPORT int name(int fd)                                                                     \
    {                                                                                              \
        cancel_in_call(RT_PC());                                                                   \
        return REAL(name)(fd);                                                                     \
    }
WAITS(fsync)
WAITS(fdatasync)

/* ---- by name ---------------------------------------------------------------------------------- */

#define LOOKS(name, parameters, at, path, follow, ...)                                             \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        struct event *op = file_step_path(at, path, follow, true, RT_PC());                        \
        int result = REAL(name)(__VA_ARGS__);                                                      \
        file_step_done(op, false);                                                                 \
        return result;                                                                             \
    }
LOOKS(access, (const char *path, int mode), AT_FDCWD, path, true, path, mode)
LOOKS(faccessat, (int at, const char *path, int mode, int flags), at, path, true, at, path, mode, flags)

/* What was found is written for the caller; times are those of a virtual clock. */
static int told(int result, struct stat *to)
{
    if (!result) {
        pinned_time(&to->st_atim);
        pinned_time(&to->st_mtim);
        pinned_time(&to->st_ctim);
    }
    return result;
}

#define TELLS(name, follow)                                                                        \
    RT_EXPORT int name(const char *restrict path, struct stat *restrict to)                        \
    {                                                                                              \
        strings_write(to, sizeof *to, RT_PC());                                                    \
        struct event *op = file_step_path(AT_FDCWD, path, follow, true, RT_PC());                  \
        int result = REAL(name)(path, to);                                                         \
        file_step_done(op, false);                                                                 \
        return told(result, to);                                                                   \
    }
TELLS(stat, true)
TELLS(lstat, false)

RT_EXPORT int fstat(int fd, struct stat *to)
{
    strings_write(to, sizeof *to, RT_PC());
    struct event *op = file_step_fd(fd, true, RT_PC());
    int result = REAL(fstat)(fd, to);
    file_step_done(op, false);
    return told(result, to);
}

/* Without a path it is of the descriptor. */
static struct event *looks_at(int at, const char *path, int flags, uint64_t pc)
{
    if (flags & AT_EMPTY_PATH && path && !path[0])
        return file_step_fd(at, true, pc);
    return file_step_path(at, path, !(flags & AT_SYMLINK_NOFOLLOW), true, pc);
}

RT_EXPORT int fstatat(int at, const char *restrict path, struct stat *restrict to, int flags)
{
    strings_write(to, sizeof *to, RT_PC());
    struct event *op = looks_at(at, path, flags, RT_PC());
    int result = REAL(fstatat)(at, path, to, flags);
    file_step_done(op, false);
    return told(result, to);
}

static void pin_statx(struct statx_timestamp *t)
{
    struct timespec as = {.tv_sec = t->tv_sec, .tv_nsec = t->tv_nsec};
    pinned_time(&as);
    t->tv_sec = as.tv_sec;
    t->tv_nsec = (uint32_t)as.tv_nsec;
}

RT_EXPORT int statx(int at, const char *restrict path, int flags, unsigned mask, struct statx *restrict to)
{
    strings_write(to, sizeof *to, RT_PC());
    struct event *op = looks_at(at, path, flags, RT_PC());
    int result = REAL(statx)(at, path, flags, mask, to);
    file_step_done(op, false);
    if (!result) {
        pin_statx(&to->stx_atime);
        pin_statx(&to->stx_btime);
        pin_statx(&to->stx_ctime);
        pin_statx(&to->stx_mtime);
    }
    return result;
}
