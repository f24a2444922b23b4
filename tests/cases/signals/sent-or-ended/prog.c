/* A thread looks for a signal and ends. Another one sends it, before that or when the thread has ended. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_t looking;
static atomic_int x;

static void *looks(void *arg)
{
    sigset_t pending;
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1)); /* BUG */
    return NULL;
}

static void *sends(void *arg)
{
    x++;
    pthread_kill(looking, SIGUSR1);
    return NULL;
}

int main(void)
{
    pthread_t other;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&looking, NULL, looks, NULL);
    pthread_create(&other, NULL, sends, NULL);
    pthread_join(other, NULL);
    pthread_join(looking, NULL);
    return 0;
}
