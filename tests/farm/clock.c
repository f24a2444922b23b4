/* For a participant whose clock is wrong: loaded before libc, an hour ahead in this process alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { AHEAD = 3600 };

__attribute__((constructor)) static void alone(void)
{
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *);
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, t);
    t->tv_sec += AHEAD;
    return status;
}

int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
