#include "host/worker.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A descriptor of its own (own file position) for the same file. */
static int reopen(int fd)
{
    ensure(fd >= 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int put_at(int fd, int to)
{
    if (fd < 0 || dup2(fd, to) < 0)
        return -1;
    return fd > 2 ? close(fd) : 0;
}

static int set_streams(const struct worker_spec *spec, int log)
{
    int in = spec->input >= 0 ? reopen(spec->input) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (put_at(in, 0))
        return -1;
    if (!spec->show_output && put_at(open("/dev/null", O_WRONLY | O_CLOEXEC), 1))
        return -1;
    if (log >= 0)
        return dup2(log, 2) < 0 ? -1 : 0;
    return spec->show_output ? 0 : put_at(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
}

/* The worker's own copies of our descriptors, out of the way of those the program opens. */
static int hand_on(int fd)
{
    return fd <= 0 ? -1 : fcntl(fd, F_DUPFD, WORKER_FDS);
}

static int hand_over(const struct worker_spec *spec, struct region *r, int record_fd)
{
    int fd = fcntl(r->fd, F_DUPFD, WORKER_FDS);
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    if (fd < 0 || setenv(SHARED_ENV, number, 1))
        return -1;
    r->shared->config.record_fd = -1;
    r->shared->config.spill_fd = hand_on(r->spill);
    r->shared->config.traces_fd = hand_on(r->traces);
    r->shared->config.team_fd = hand_on(spec->team);
    r->shared->config.budget_fd = hand_on(spec->budget);
    r->shared->exchange.grove_fd = hand_on(spec->grove);
    if (record_fd >= 0 &&
        (r->shared->config.record_fd = fcntl(record_fd, F_DUPFD, WORKER_FDS)) < 0)
        return -1;
    return 0;
}

int worker_prepare(const struct worker_spec *spec, struct region *r, int record_fd, int log)
{
    struct rlimit none = {0, 0};
    sigset_t empty;
    sigemptyset(&empty);
    setrlimit(RLIMIT_CORE, &none);
    if (spec->directory && chdir(spec->directory))
        return -1;
    if (hand_over(spec, r, record_fd) || set_streams(spec, log))
        return -1;
    personality(ADDR_NO_RANDOMIZE | (unsigned)personality(0xffffffff));
    return sigprocmask(SIG_SETMASK, &empty, NULL);
}

/* Runs the program, or the wrapping command with the program as its last words. */
static void run_program(const struct worker_spec *spec)
{
    VEC(char *) words = {0};
    char *rest = spec->wrap ? mem_strdup(spec->wrap) : NULL;
    if (!spec->wrap) {
        execv(spec->path, spec->argv);
        return;
    }
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " "))
        vec_push(&words, word);
    vec_push(&words, (char *)spec->path);
    for (char *const *a = spec->argv + 1; *a; a++)
        vec_push(&words, *a);
    vec_push(&words, NULL);
    execvp(words.items[0], words.items);
}

static void run_child(const struct worker_spec *spec, struct region *r, int record_fd, int log,
                      int report, pid_t host)
{
    stop_child(host); /* Ctrl-C is for the host, which asks the worker to finish */
    if (!worker_prepare(spec, r, record_fd, log))
        run_program(spec);
    int why = errno;
    if (write(report, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

pid_t worker_start(const struct worker_spec *spec, struct region *r, int record_fd, int log,
                   struct error *e)
{
    ensure(spec->path && spec->argv);
    int report[2], why = 0;
    if (pipe2(report, O_CLOEXEC))
        return error_set(e, EXIT_INTERNAL, "cannot make a pipe: %s", strerror(errno));
    if (!r->shared->initialized) /* a replacement learns from it that an execution was cut short */
        atomic_store(&r->shared->phase, PHASE_STARTING);
    pid_t host = getpid(), pid = fork();
    if (pid == 0)
        run_child(spec, r, record_fd, log, report[1], host);
    if (pid > 0)
        setpgid(pid, pid); /* whoever comes first */
    close(report[1]);
    ssize_t n = pid < 0 ? -1 : read(report[0], &why, sizeof why);
    close(report[0]);
    if (pid < 0)
        return error_set(e, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    if (n > 0) {
        waitpid(pid, NULL, 0);
        return error_set(e, EXIT_CANNOT_START, "cannot start %s: %s", spec->path, strerror(why));
    }
    return pid;
}

/* All, unless a signal ends it. */
static void copy_all(int from, int to)
{
    char part[65536];
    double since = progress_now();
    int told = 0;
    while (!stop_asked()) {
        struct pollfd p = {.fd = from, .events = POLLIN};
        if (poll(&p, 1, 1000) == 0 && !told && progress_now() - since > 0.9) {
            fprintf(stderr, "raddle: reading the program's standard input to its end (give "
                            "</dev/null if it needs none)\n");
            told = 1;
        }
        ssize_t n = p.revents ? read(from, part, sizeof part) : -1;
        if (p.revents && n <= 0)
            return;
        if (n > 0 && write(to, part, (size_t)n) != n)
            error_fatal("cannot keep the program's standard input: %s", strerror(errno));
    }
}

int worker_spool_stdin(void)
{
    struct stat st;
    if (fstat(STDIN_FILENO, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
        return -1;
    int fd = memfd_create("stdin", MFD_CLOEXEC);
    if (fd < 0)
        error_fatal("cannot keep the program's standard input: %s", strerror(errno));
    copy_all(STDIN_FILENO, fd);
    if (lseek(fd, 0, SEEK_END) > 0)
        return fd;
    close(fd);
    return -1;
}

/* Starts it once more with stderr kept; it gets two seconds. */
void worker_start_message(const struct worker_spec *spec, struct region *r, char *out, size_t size)
{
    *out = 0;
    int log = memfd_create("stderr", MFD_CLOEXEC), status;
    pid_t pid = log < 0 ? -1 : worker_start(spec, r, -1, log, NULL);
    if (pid < 0)
        return;
    for (int i = 0; i < 200 && waitpid(pid, &status, WNOHANG) == 0; i++)
        usleep(10000);
    if (waitpid(pid, &status, WNOHANG) == 0) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    kill(-pid, SIGKILL);
    ssize_t n = pread(log, out, size - 1, 0);
    out[n > 0 ? n : 0] = 0;
    out[strcspn(out, "\n")] = 0;
    close(log);
}
