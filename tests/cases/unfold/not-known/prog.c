/* A signal that is queued: an operation that the engine does not know makes the verdict incomplete. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *send(void *arg)
{
    assert(pthread_kill(*(pthread_t *)arg, SIGRTMIN) == 0);
    return arg;
}

int main(void)
{
    pthread_t t, self = pthread_self();
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, send, &self);
    assert(sigwait(&set, &got) == 0);
    pthread_join(t, NULL);
}
