#include "base/stop.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t asked, last;

#define ONE_ASKING 200 /* ms: timeout(1) signals the process and then its group */

static void count(int signal)
{
    static struct timespec before;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long ms = (now.tv_sec - before.tv_sec) * 1000 + (now.tv_nsec - before.tv_nsec) / 1000000;
    if (asked && signal == last && ms < ONE_ASKING)
        return;
    before = now;
    last = signal;
    asked = asked + 1;
    if (asked > 2)
        _exit(128 + signal);
}

void stop_watch(void)
{
    struct sigaction a = {.sa_handler = count, .sa_flags = SA_RESTART}, was;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        /* Under nohup SIGHUP stays ignored. A shell that starts us in the background ignores SIGINT, but who
         * sends one to us alone means it. */
        if (signals[i] != SIGHUP || (!sigaction(SIGHUP, NULL, &was) && was.sa_handler != SIG_IGN))
            sigaction(signals[i], &a, NULL);
}

int stop_asked(void)
{
    return asked;
}

int stop_signal(void)
{
    return last;
}

void stop_child(pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
}

ssize_t stop_read(int fd, void *data, size_t n, pid_t child, int *told)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, 100) <= 0) {
        if (asked != *told && child > 0)
            kill(child, last);
        *told = asked;
    }
    return read(fd, data, n);
}
