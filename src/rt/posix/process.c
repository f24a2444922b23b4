/* The process around the threads: identity, descriptors and directory that must be put back, and
 * what cannot be explored at all (fork, exec), which is refused and named. Also the entry points of
 * include/raddle.h that are not about ending. */
#include "rt/check/finding.h"
#include "rt/abi/units.h"
#include "rt/check/heap.h"
#include "rt/core/interpose.h"
#include "rt/core/orbit.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/files.h"
#include "rt/posix/numbers.h"
#include "rt/posix/process_state.h"
#include "rt/posix/stream_memory.h"
#include "rt/posix/strings.h"
#include "rt/tell/story.h"

#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PINNED_PID 4242

RT_EXPORT pid_t getpid(void)
{
    return rt.active ? PINNED_PID : (pid_t)syscall(SYS_getpid);
}

RT_EXPORT pid_t gettid(void)
{
    if (!rt.active)
        return (pid_t)syscall(SYS_gettid);
    orbit_shows();
    return PINNED_PID + rt.current;
}

RT_EXPORT pid_t getppid(void)
{
    return rt.active ? PINNED_PID - 1 : (pid_t)syscall(SYS_getppid);
}

/* Of itself; others are no processes of the program. */
RT_EXPORT pid_t getpgid(pid_t pid)
{
    PASSIVE(getpgid, pid);
    return pid == 0 || pid == PINNED_PID ? PINNED_PID : REAL(getpgid)(pid);
}

RT_EXPORT pid_t getpgrp(void)
{
    PASSIVE(getpgrp);
    return PINNED_PID;
}

RT_EXPORT pid_t getsid(pid_t pid)
{
    PASSIVE(getsid, pid);
    return pid == 0 || pid == PINNED_PID ? PINNED_PID - 1 : REAL(getsid)(pid);
}

RT_EXPORT int fclose(FILE *f)
{
    rt.files_touched = true;
    file_step_stream(f, RT_PC());
    int fd = f ? fileno(f) : -1;
    struct event *op = file_step_flush(f, RT_PC());
    stream_memory_closes(f, RT_PC());
    numbers_before_close(fd, RT_PC());
    int status = REAL(fclose)(f);
    file_step_done(op, true);
    numbers_closed(fd, false, RT_PC());
    return status;
}

/* The environment is one variable: reading it while another thread changes it is a data race. */
static void use_environment(bool change, uint64_t pc)
{
    if (change)
        strings_write(&environ, sizeof environ, pc);
    else
        strings_read(&environ, sizeof environ, pc);
}

RT_EXPORT char *getenv(const char *name)
{
    use_environment(false, RT_PC());
    strings_read_text(name, SIZE_MAX, RT_PC());
    return REAL(getenv)(name);
}

RT_EXPORT int setenv(const char *name, const char *value, int over)
{
    use_environment(true, RT_PC());
    return REAL(setenv)(name, value, over);
}

RT_EXPORT int unsetenv(const char *name)
{
    use_environment(true, RT_PC());
    return REAL(unsetenv)(name);
}

RT_EXPORT int putenv(char *text)
{
    use_environment(true, RT_PC());
    return REAL(putenv)(text);
}

/* What relative paths mean is not a step. */
static void note_folder(void)
{
    rt.files_touched = true;
    if (rt.active && rt.threads > 1)
        finding_incomplete("a thread changes the working directory while there are others: when is not "
                           "explored");
}

RT_EXPORT int chdir(const char *path)
{
    note_folder();
    return REAL(chdir)(path);
}

RT_EXPORT int fchdir(int fd)
{
    note_folder();
    return REAL(fchdir)(fd);
}

/* Everything that makes a descriptor: only noted, so that it is closed again. */
#define OPENS(type, name, parameters, ...)                                                         \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        rt.files_opened = true;                                                                    \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
OPENS(FILE *, tmpfile, (void))
OPENS(int, memfd_create, (const char *name, unsigned flags), name, flags)

static int refuse(const char *what, uint64_t pc)
{
    process_note_refused(strcmp(what, "system") ? REFUSED_PROCESS : REFUSED_COMMAND, what);
    finding_warn(pc, "%s() is not supported under raddle: it fails with ENOSYS", what);
    finding_incomplete("the program calls %s()", what);
    errno = ENOSYS;
    return -1;
}

RT_EXPORT pid_t fork(void)
{
    PASSIVE(fork);
    return refuse("fork", RT_PC());
}

RT_EXPORT pid_t vfork(void)
{
    if (!rt.active)
        return REAL(fork)();
    return refuse("vfork", RT_PC());
}

/* The C library's own calls, behind which it would end this process. */
RT_EXPORT int daemon(int here, int same_output)
{
    PASSIVE(daemon, here, same_output);
    return refuse("daemon", RT_PC());
}

RT_EXPORT int forkpty(int *end, char *name, const struct termios *how, const struct winsize *size)
{
    PASSIVE(forkpty, end, name, how, size);
    return refuse("forkpty", RT_PC());
}

RT_EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
    PASSIVE(execve, path, argv, envp);
    return refuse("execve", RT_PC());
}

RT_EXPORT int execv(const char *path, char *const argv[])
{
    PASSIVE(execv, path, argv);
    return refuse("execv", RT_PC());
}

RT_EXPORT int execvp(const char *file, char *const argv[])
{
    PASSIVE(execvp, file, argv);
    return refuse("execvp", RT_PC());
}

RT_EXPORT int system(const char *command)
{
    PASSIVE(system, command);
    return refuse("system", RT_PC());
}

RT_EXPORT FILE *popen(const char *command, const char *mode)
{
    PASSIVE(popen, command, mode);
    refuse("popen", RT_PC());
    return NULL;
}

RT_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
                          const posix_spawn_file_actions_t *restrict actions,
                          const posix_spawnattr_t *restrict attr, char *const argv[], char *const envp[])
{
    PASSIVE(posix_spawn, pid, path, actions, attr, argv, envp);
    refuse("posix_spawn", RT_PC());
    return ENOSYS;
}

RT_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attr, char *const argv[], char *const envp[])
{
    PASSIVE(posix_spawnp, pid, file, actions, attr, argv, envp);
    refuse("posix_spawnp", RT_PC());
    return ENOSYS;
}

/* Its further arguments are not looked at: it fails. */
RT_EXPORT int clone(int (*run)(void *), void *stack, int flags, void *arg, ...)
{
    if (rt.active)
        return refuse("clone", RT_PC());
    va_list ap;
    va_start(ap, arg);
    pid_t *parent = va_arg(ap, pid_t *);
    void *tls = va_arg(ap, void *);
    pid_t *child = va_arg(ap, pid_t *);
    va_end(ap);
    return REAL(clone)(run, stack, flags, arg, parent, tls, child);
}

/* Asynchronous input and output is done by threads of the C library's own. */
#define REFUSES_AIO(name, parameters, ...)                                                         \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        PASSIVE(name, __VA_ARGS__);                                                                \
        return refuse(#name, RT_PC());                                                             \
    }
REFUSES_AIO(aio_read, (struct aiocb * a), a)
REFUSES_AIO(aio_write, (struct aiocb * a), a)
REFUSES_AIO(aio_fsync, (int how, struct aiocb *a), how, a)
REFUSES_AIO(lio_listio, (int mode, struct aiocb *const a[], int n, struct sigevent *e), mode, a, n, e)
REFUSES_AIO(aio_read64, (struct aiocb64 * a), a)
REFUSES_AIO(aio_write64, (struct aiocb64 * a), a)
REFUSES_AIO(aio_fsync64, (int how, struct aiocb64 *a), how, a)
REFUSES_AIO(lio_listio64, (int mode, struct aiocb64 *const a[], int n, struct sigevent *e), mode, a, n, e)

/* There are no child processes, since none can be made. */
static int no_children(void)
{
    errno = ECHILD;
    return -1;
}

RT_EXPORT pid_t wait(int *status)
{
    PASSIVE(wait, status);
    return no_children();
}

RT_EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
    PASSIVE(waitpid, pid, status, options);
    return no_children();
}

RT_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    PASSIVE(waitid, type, id, info, options);
    return no_children();
}

/* A module stays loaded once it is: its constructors run outside of exploration, what they allocate
 * survives, and its data is put back to what it is then. */
RT_EXPORT void *dlopen(const char *path, int flags)
{
    PASSIVE(dlopen, path, flags);
    rt.active = false;
    heap_persistent(true);
    void *handle = REAL(dlopen)(path, flags);
    heap_persistent(false);
    restart_new_modules();
    libraries_check(true);
    rt.active = true;
    return handle;
}

RT_EXPORT int dlclose(void *handle)
{
    PASSIVE(dlclose, handle);
    return 0;
}

int sched_choose(int n, uint64_t pc)
{
    if (!rt.active || n <= 1)
        return 0;
    struct event op = {.kind = EV_CHOOSE, .thread = (uint16_t)rt.current, .pc = pc};
    int value = sched_branch(&op, n);
    sched_log_followed(EV_CHOOSE, 0, (uint64_t)value, (uint64_t)n, pc);
    return value;
}

int raddle_rt_choose(int n);
RT_EXPORT int raddle_rt_choose(int n)
{
    return sched_choose(n, RT_PC());
}

void raddle_rt_yield(void);
RT_EXPORT void raddle_rt_yield(void)
{
    sched_yield();
}

void raddle_rt_note(const char *fmt, ...);
RT_EXPORT void raddle_rt_note(const char *fmt, ...)
{
    if (!rt.active || !rt.recording)
        return;
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    story_note(text);
}
