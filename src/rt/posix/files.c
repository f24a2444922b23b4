/* Files put back between executions. Before anything that makes, changes, renames or removes a file,
 * what is at that path is saved once per execution (nothing, a file with its contents, a folder, a
 * link); at the end of the execution the entries are undone, last first. Devices and the kernel's own
 * file systems are left alone. Names made up by mkstemp & co. come from the seed and the number that no other
 * run on this machine has now. */
#include "rt/posix/files.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/numbers.h"
#include "rt/posix/process_state.h"
#include "rt/posix/strings.h"
#include "rt/sym/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAX_SAVED 1024
#define MAX_FILE (256ll << 20)

struct saved {
    char *path; /* absolute; mapped together with the contents behind it */
    char *data;
    size_t size, mapped;
    mode_t mode; /* 0: nothing was there */
    struct timespec times[2];
};

static struct saved saved[MAX_SAVED];
static int saved_count;

static bool load(struct saved *s)
{
    if (S_ISLNK(s->mode))
        return syscall(SYS_readlink, s->path, s->data, s->size) == (long)s->size;
    long fd = syscall(SYS_open, s->path, O_RDONLY | O_CLOEXEC, 0);
    size_t done = 0;
    for (long n = 1; fd >= 0 && done < s->size && n > 0; done += (size_t)(n > 0 ? n : 0))
        n = syscall(SYS_read, fd, s->data + done, s->size - done);
    if (fd >= 0)
        syscall(SYS_close, fd);
    return fd >= 0 && done == s->size;
}

static void save(const char *path)
{
    struct stat st = {0};
    for (int i = 0; i < saved_count; i++)
        if (!strcmp(saved[i].path, path))
            return;
    if (REAL(fstatat)(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW))
        st = (struct stat){0};
    bool kept = S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
    if (st.st_mode && !kept && !S_ISDIR(st.st_mode))
        return;
    size_t length = strlen(path) + 1, size = kept ? (size_t)st.st_size : 0;
    if (saved_count == MAX_SAVED || st.st_size > MAX_FILE) {
        finding_limit(LIMIT_FILES, MAX_SAVED);
        return;
    }
    struct saved *s = &saved[saved_count];
    *s = (struct saved){.size = size, .mode = st.st_mode, .times = {st.st_atim, st.st_mtim}};
    s->mapped = length + size + 1;
    s->path = rt_map(NULL, s->mapped, "a saved file");
    s->data = s->path + length;
    rt_copy(s->path, path, length);
    if (kept && !load(s))
        finding_incomplete("a file that the program changes cannot be read to put it back: %s",
                           path);
    saved_count++;
}

static void before_change(int at, const char *path, bool follow)
{
    char full[PATH_MAX];
    int error = errno;
    if (rt.active && path && file_path(at, path, follow, full))
        save(full);
    errno = error;
}

static void write_back(const struct saved *s)
{
    long fd = syscall(SYS_open, s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                      s->mode & 07777);
    for (size_t done = 0; fd >= 0 && done < s->size;) {
        long n = syscall(SYS_write, fd, s->data + done, s->size - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    if (fd < 0)
        return;
    syscall(SYS_fchmod, fd, s->mode & 07777);
    REAL(futimens)((int)fd, s->times);
    syscall(SYS_close, fd);
}

static void undo(const struct saved *s)
{
    struct stat st;
    bool there = REAL(fstatat)(AT_FDCWD, s->path, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && (!s->mode || (st.st_mode & S_IFMT) != (s->mode & S_IFMT) || S_ISLNK(s->mode)))
        syscall(S_ISDIR(st.st_mode) ? SYS_rmdir : SYS_unlink, s->path);
    if (S_ISREG(s->mode))
        write_back(s);
    else if (S_ISDIR(s->mode) && !there)
        syscall(SYS_mkdir, s->path, s->mode & 07777);
    else if (S_ISLNK(s->mode))
        syscall(SYS_symlink, s->data, s->path);
}

bool files_changed(void)
{
    return saved_count > 0;
}

void files_undo(void)
{
    while (saved_count > 0) {
        struct saved *s = &saved[--saved_count];
        undo(s);
        syscall(SYS_munmap, s->path, s->mapped);
    }
}

/* ---- opening ---------------------------------------------------------------------------------- */

/* /dev/random and /dev/urandom, whatever they are called. */
static bool is_random(int at, const char *path)
{
    struct stat st;
    return rt.active && !REAL(fstatat)(at, path, &st, 0) && S_ISCHR(st.st_mode) && major(st.st_rdev) == 1 &&
           (minor(st.st_rdev) == 8 || minor(st.st_rdev) == 9);
}

static bool begins_with(const char *path, const char *with)
{
    return !strncmp(path, with, strlen(with));
}

/* Of what the kernel makes up, what stays the same while it runs. */
static bool is_constant(const char *path)
{
    static const char *const settings[] = {"/proc/sys/kernel/",    "/proc/sys/vm/",     "/proc/sys/net/",
                                           "/proc/version",        "/proc/filesystems", "/sys/kernel/mm/",
                                           "/sys/devices/system/"};
    static const char *const own[] = {"cmdline", "comm", "environ", "exe", "limits"};
    const char *name = strrchr(path, '/') + 1;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (!strcmp(name, own[i]))
            return true;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (begins_with(path, settings[i]))
            return !strstr(path, "/random/") && strcmp(name, "ns_last_pid") != 0;
    return false;
}

void files_note_changing(int at, const char *path)
{
    char real[PATH_MAX];
    if (!rt.active || !path || file_path(at, path, true, real) || real[0] != '/')
        return;
    bool made_up = begins_with(real, "/proc/") || begins_with(real, "/sys/") || !strcmp(real, "/dev/hwrng");
    if (made_up && !is_constant(real))
        finding_incomplete("the program reads %s, which is not the same in every run (a copy of it would be)",
                           path);
}

static void before_open(int at, const char *path, int flags)
{
    rt.files_opened = true;
    if (!(flags & (O_WRONLY | O_PATH)))
        files_note_changing(at, path);
    if (rt.active && (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)))
        before_change(at, path, !(flags & O_NOFOLLOW));
}

/* Opening a pipe with a name waits for the other end, reading it for a writer: nobody could go on. */
static bool is_named_pipe(int at, const char *path, uint64_t pc)
{
    struct stat st;
    if (!rt.active || REAL(fstatat)(at, path, &st, 0) || !S_ISFIFO(st.st_mode))
        return false;
    finding_warn(pc, "open() of a pipe with a name is not supported under raddle: it fails with ENOSYS");
    finding_incomplete("the program opens a pipe with a name");
    process_note_refused(REFUSED_PROCESS, "open");
    errno = ENOSYS;
    return true;
}

static int after_open(int fd, int at, const char *path)
{
    if (fd >= 0 && is_random(at, path))
        descriptor_adopt(fd, FD_RANDOM, descriptor_new_object(), false);
    return fd;
}

/* The mode is an argument only if a file may be made. */
#define OPENS(name, parameters, at, ...)                                                           \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        va_list ap;                                                                                \
        va_start(ap, flags);                                                                       \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;                      \
        va_end(ap);                                                                                \
        cancel_in_call(RT_PC());                                                                   \
        int given = sym_open(path);                                                                \
        if (RT_UNLIKELY(given >= 0))                                                               \
            return given;                                                                          \
        before_open(at, path, flags);                                                              \
        if (RT_UNLIKELY(is_named_pipe(at, path, RT_PC())))                                         \
            return -1;                                                                             \
        bool changes = flags & (O_CREAT | O_TRUNC);                                                \
        numbers_before_open(RT_PC());                                                              \
        struct event *op = file_step_path(at, path, !(flags & O_NOFOLLOW), !changes, RT_PC());     \
        int fd = REAL(name)(__VA_ARGS__, mode);                                                    \
        file_step_done(op, changes && fd >= 0);                                                    \
        numbers_opened(&fd, 1, RT_PC());                                                           \
        return after_open(fd, at, path);                                                             \
    }
OPENS(open, (const char *path, int flags, ...), AT_FDCWD, path, flags)
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD, path, flags)
OPENS(openat, (int at, const char *path, int flags, ...), at, at, path, flags)
OPENS(openat64, (int at, const char *path, int flags, ...), at, at, path, flags)

RT_EXPORT int creat(const char *path, mode_t mode)
{
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

RT_EXPORT int creat64(const char *path, mode_t mode)
{
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static ssize_t read_random(void *cookie, char *to, size_t n)
{
    clock_random(to, n);
    return (ssize_t)n;
}

static void before_fopen(const char *path, const char *mode)
{
    before_open(AT_FDCWD, path, strchr(mode, 'r') && !strchr(mode, '+') ? O_RDONLY : O_RDWR);
}

#define FOPENS(name)                                                                               \
    RT_EXPORT FILE *name(const char *restrict path, const char *restrict mode)                     \
    {                                                                                              \
        if (is_random(AT_FDCWD, path))                                                             \
            return fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_random});           \
        int given = sym_open(path);                                                                \
        if (RT_UNLIKELY(given >= 0))                                                               \
            return fdopen(given, mode);                                                            \
        before_fopen(path, mode);                                                                  \
        if (RT_UNLIKELY(is_named_pipe(AT_FDCWD, path, RT_PC())))                                   \
            return NULL;                                                                           \
        numbers_before_open(RT_PC());                                                              \
        struct event *op = file_step_path(AT_FDCWD, path, true, mode[0] == 'r', RT_PC());          \
        FILE *f = REAL(name)(path, mode);                                                          \
        file_step_done(op, f && mode[0] != 'r');                                                   \
        numbers_opened(&(int){f ? fileno(f) : -1}, 1, RT_PC());                                    \
        return f;                                                                                  \
    }
FOPENS(fopen)
FOPENS(fopen64)

RT_EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict f)
{
    rt.files_touched = true;
    if (path)
        before_fopen(path, mode);
    if (path && is_random(AT_FDCWD, path))
        finding_incomplete("the program reads %s through freopen()", path);
    return REAL(freopen)(path, mode, f);
}

/* ---- changing --------------------------------------------------------------------------------- */

/* CHANGES(name, parameters, at, path, follow, arguments…): saves what is at the path first. */
#define CHANGES(name, parameters, at, path, follow, ...)                                           \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        struct event *op = file_step_path(at, path, follow, false, RT_PC());                       \
        before_change(at, path, follow);                                                           \
        int result = REAL(name)(__VA_ARGS__);                                                      \
        file_step_done(op, result == 0);                                                           \
        return result;                                                                             \
    }
CHANGES(unlink, (const char *path), AT_FDCWD, path, false, path)
CHANGES(unlinkat, (int at, const char *path, int flags), at, path, false, at, path, flags)
CHANGES(remove, (const char *path), AT_FDCWD, path, false, path)
CHANGES(rmdir, (const char *path), AT_FDCWD, path, false, path)
CHANGES(mkdir, (const char *path, mode_t mode), AT_FDCWD, path, false, path, mode)
CHANGES(mkdirat, (int at, const char *path, mode_t mode), at, path, false, at, path, mode)
CHANGES(mkfifo, (const char *path, mode_t mode), AT_FDCWD, path, false, path, mode)
CHANGES(truncate, (const char *path, off_t size), AT_FDCWD, path, true, path, size)
CHANGES(truncate64, (const char *path, off64_t size), AT_FDCWD, path, true, path, size)
CHANGES(chmod, (const char *path, mode_t mode), AT_FDCWD, path, true, path, mode)
CHANGES(link, (const char *from, const char *to), AT_FDCWD, to, false, from, to)
CHANGES(symlink, (const char *from, const char *to), AT_FDCWD, to, false, from, to)
CHANGES(linkat, (int from_at, const char *from, int at, const char *to, int flags), at, to, false,
        from_at, from, at, to, flags)
CHANGES(symlinkat, (const char *from, int at, const char *to), at, to, false, from, at, to)
CHANGES(fchmodat, (int at, const char *path, mode_t mode, int flags), at, path, true, at, path, mode, flags)
CHANGES(chown, (const char *path, uid_t user, gid_t group), AT_FDCWD, path, true, path, user, group)
CHANGES(utimensat, (int at, const char *path, const struct timespec times[2], int flags), at, path,
        true, at, path, times, flags)
CHANGES(utimes, (const char *path, const struct timeval times[2]), AT_FDCWD, path, true, path, times)

/* A step is on one name: the renaming itself on the old one, between two on the new one, so that who looks at
 * the new one comes before or after it. */
static struct event *before_rename(int from_at, const char *from, int to_at, const char *to, uint64_t pc)
{
    file_step_done(file_step_path(to_at, to, false, false, pc), true);
    struct event *op = file_step_path(from_at, from, false, false, pc);
    before_change(from_at, from, false);
    before_change(to_at, to, false);
    return op;
}

static int after_rename(struct event *op, int result, int to_at, const char *to, uint64_t pc)
{
    file_step_done(op, result == 0);
    file_step_done(file_step_path(to_at, to, false, false, pc), true);
    return result;
}

RT_EXPORT int rename(const char *from, const char *to)
{
    struct event *op = before_rename(AT_FDCWD, from, AT_FDCWD, to, RT_PC());
    return after_rename(op, REAL(rename)(from, to), AT_FDCWD, to, RT_PC());
}

RT_EXPORT int renameat(int from_at, const char *from, int to_at, const char *to)
{
    struct event *op = before_rename(from_at, from, to_at, to, RT_PC());
    return after_rename(op, REAL(renameat)(from_at, from, to_at, to), to_at, to, RT_PC());
}

RT_EXPORT int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    struct event *op = before_rename(from_at, from, to_at, to, RT_PC());
    return after_rename(op, REAL(renameat2)(from_at, from, to_at, to, flags), to_at, to, RT_PC());
}

/* ---- names of shared memory ------------------------------------------------------------------- */

static bool shm_path(const char *name, char out[PATH_MAX])
{
    int n = rt_format(out, PATH_MAX, "/dev/shm/%s", name + (name[0] == '/'));
    return n > 0 && n < PATH_MAX;
}

RT_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    char path[PATH_MAX];
    PASSIVE(shm_open, name, flags, mode);
    return shm_path(name, path) ? open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode) : -1;
}

RT_EXPORT int shm_unlink(const char *name)
{
    char path[PATH_MAX];
    PASSIVE(shm_unlink, name);
    return shm_path(name, path) ? unlink(path) : -1;
}

/* ---- names of their own ------------------------------------------------------------------------- */

static char *letters_of(char *template, int suffix)
{
    size_t n = strlen(template);
    char *x = n >= 6 + (size_t)suffix ? template + n - (size_t)suffix - 6 : NULL;
    if (x && !strncmp(x, "XXXXXX", 6))
        return x;
    errno = EINVAL;
    return NULL;
}

static void make_up(char *x)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    unsigned char r[6];
    clock_random(r, sizeof r);
    uint32_t ours = rt.shared->names;
    for (int i = 0; i < 6; i++, ours /= sizeof letters - 1)
        x[i] = letters[(r[i] + ours) % (sizeof letters - 1)];
}

static int make_temporary(char *template, int suffix, int flags)
{
    char *x = letters_of(template, suffix);
    int fd = -1;
    for (int tries = 0; x && fd < 0 && tries < 100; tries++) {
        make_up(x);
        fd = open(template, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

RT_EXPORT int mkstemp(char *template)
{
    PASSIVE(mkstemp, template);
    strings_write(template, strings_real.strlen(template), RT_PC());
    return make_temporary(template, 0, 0);
}

RT_EXPORT int mkostemp(char *template, int flags)
{
    PASSIVE(mkostemp, template, flags);
    return make_temporary(template, 0, flags);
}

RT_EXPORT int mkstemps(char *template, int suffix)
{
    PASSIVE(mkstemps, template, suffix);
    return make_temporary(template, suffix, 0);
}

RT_EXPORT char *mkdtemp(char *template)
{
    PASSIVE(mkdtemp, template);
    char *x = letters_of(template, 0);
    for (int tries = 0; x && tries < 100; tries++) {
        make_up(x);
        if (mkdir(template, 0700) == 0)
            return template;
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

/* Names that nobody has now. */
RT_EXPORT char *mktemp(char *template)
{
    PASSIVE(mktemp, template);
    char *x = letters_of(template, 0);
    strings_write(template, strings_real.strlen(template), RT_PC());
    for (int tries = 0; x && tries < 100; tries++) {
        make_up(x);
        if (syscall(SYS_access, template, F_OK))
            return template;
    }
    *template = 0;
    return template;
}

RT_EXPORT char *tmpnam(char to[L_tmpnam])
{
    static char own[L_tmpnam];
    PASSIVE(tmpnam, to);
    char *name = to ? to : own;
    rt_format(name, L_tmpnam, P_tmpdir "/fileXXXXXX");
    return *mktemp(name) ? name : NULL;
}

RT_EXPORT char *tmpnam_r(char to[L_tmpnam])
{
    return to ? tmpnam(to) : NULL;
}

RT_EXPORT char *tempnam(const char *folder, const char *prefix)
{
    PASSIVE(tempnam, folder, prefix);
    char *name = REAL(tempnam)(folder, prefix);
    if (name)
        strings_real.memcpy(name + strings_real.strlen(name) - 6, "XXXXXX", 6);
    return name ? mktemp(name) : NULL;
}
