/* The signal comes while the thread blocks it, or before, or after: what that leads to was not all
 * explored. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int shared;
static int seen;

static void handler(int sig)
{
    seen = atomic_fetch_add(&shared, 1);
}

static void *work(void *unused)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    shared = 3;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
