/* A signal ends the loop in which a thread tries a lock that it will never get: no livelock, though the
 * handler does not run at every moment at which it could. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t;

static void leave(int sig)
{
    if (pthread_equal(pthread_self(), t))
        pthread_exit(NULL);
}

static void *work(void *arg)
{
    while (pthread_mutex_trylock(&m))
        ;
    return NULL;
}

int main(void)
{
    signal(SIGUSR1, leave);
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
