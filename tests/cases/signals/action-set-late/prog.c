/* What a signal does belongs to the process: main may raise it before the other thread has set
 * its handler. */
#include <pthread.h>
#include <signal.h>

static void handler(int sig)
{
}

static void *set(void *arg)
{
    signal(SIGUSR1, handler);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    raise(SIGUSR1); // BUG
    pthread_join(t, 0);
    return 0;
}
