/* Threads paused by a signal whose handler waits for a flag; resumed too early, the handler that
 * comes late sets the flag again and waits for ever. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int on_hold;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop;

static void hold(int sig)
{
    on_hold = 1;
    while (on_hold) /* BUG */
        sleep(1);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    while (!stop)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct sigaction a = {.sa_handler = hold};
    sigaction(SIGUSR1, &a, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    on_hold = 0;
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
