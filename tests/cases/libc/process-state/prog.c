/* What the kernel keeps for the process: one thread sets it while another one asks. Both orders are,
 * and every execution begins with what was there. Arguments: what, and the answer that must not be. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static char what;

static void *sets(void *arg)
{
    struct rlimit limit = {77, 77};
    if (what == 'm')
        umask(077);
    else if (what == 'a')
        alarm(77);
    else if (what == 'l')
        setrlimit(RLIMIT_MSGQUEUE, &limit);
    else
        setpriority(PRIO_PROCESS, 0, 19);
    return 0;
}

static int asks(void)
{
    struct rlimit limit;
    struct itimerval timer;
    if (what == 'm')
        return umask(027) == 077;
    if (what == 'a')
        return getitimer(ITIMER_REAL, &timer) == 0 && timer.it_value.tv_sec > 0;
    if (what == 'l')
        return getrlimit(RLIMIT_MSGQUEUE, &limit) == 0 && limit.rlim_cur == 77;
    return getpriority(PRIO_PROCESS, 0) == 19;
}

int main(int argc, char **argv)
{
    pthread_t t;
    what = argv[1][0];
    assert(!asks());
    pthread_create(&t, 0, sets, 0);
    int after = asks();
    pthread_join(t, 0);
    assert(after != atoi(argv[1] + 1));
    return 0;
}
