/* Two real-time signals of one number are both received, in order, each with its value. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static int sum;

static void *receives(void *arg)
{
    siginfo_t info;
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sigwaitinfo(&set, &info);
        sum = 10 * sum + info.si_value.sival_int;
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, receives, NULL);
    pthread_sigqueue(t, SIGRTMIN, (union sigval){.sival_int = 1});
    pthread_sigqueue(t, SIGRTMIN, (union sigval){.sival_int = 2});
    pthread_join(t, NULL);
    assert(sum == 12);
    return 0;
}
