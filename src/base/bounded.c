/* A timer looks ten times a second whether the time is up; memory is bounded by the system (RLIMIT_DATA,
 * beyond what the process has already). The message is made beforehand: in a signal handler there is no
 * printf. */
#include "base/bounded.h"

#include "base/error.h"
#include "base/progress.h"
#include "base/stop.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

static struct {
    struct bounded b;
    double deadline;
    char too_long[200], too_large[200];
    struct rlimit before;
    bool on;
} now;

size_t bounded_half(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;
}

static void give_up(const char *message)
{
    if (now.b.folder)
        rmdir(now.b.folder);
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(EXIT_INTERNAL);
    _exit(EXIT_INCOMPLETE);
}

static void look(int signal)
{
    if (stop_asked())
        give_up("raddle: interrupted\n");
    if (now.deadline && progress_now() >= now.deadline)
        give_up(now.too_long);
}

void bounded_out_of_memory(void)
{
    if (now.on)
        give_up(now.too_large);
}

/* What the process has of the memory that the limit counts. */
static size_t data_bytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void set_timer(long microseconds)
{
    struct itimerval often = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &often, NULL);
}

void bounded_begin(const struct bounded *b)
{
    now.b = *b;
    if (!now.b.bytes)
        now.b.bytes = bounded_half();
    now.deadline = b->seconds > 0 ? progress_now() + b->seconds : 0;
    snprintf(now.too_long, sizeof now.too_long,
             "raddle: %s was not done in time\n"
             "        give it more (--time), or a smaller model or strength\n", b->what);
    snprintf(now.too_large, sizeof now.too_large,
             "raddle: %s needs more memory than %zu MiB\n"
             "        give it more (--memory), or a smaller model or strength\n", b->what, now.b.bytes >> 20);
    getrlimit(RLIMIT_DATA, &now.before);
    struct rlimit less = {data_bytes() + now.b.bytes, now.before.rlim_max};
    if (less.rlim_cur < now.before.rlim_cur)
        setrlimit(RLIMIT_DATA, &less);
    struct sigaction act = {.sa_handler = look, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &act, NULL);
    now.on = true;
    set_timer(100000);
}

void bounded_end(void)
{
    set_timer(0);
    signal(SIGALRM, SIG_DFL);
    setrlimit(RLIMIT_DATA, &now.before);
    now.on = false;
}
