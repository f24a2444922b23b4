/* A thread that waits for signals, as servers have. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int got;

static void *waiter(void *arg)
{
    int sig = 0;
    assert(sigwait(arg, &sig) == 0);
    got = sig;
    return NULL;
}

int main(void)
{
    pthread_t t;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, &set);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(got == SIGUSR1);
    pthread_create(&t, NULL, waiter, &set);
    kill(getpid(), SIGTERM);
    pthread_join(t, NULL);
    assert(got == SIGTERM);
    return 0;
}
