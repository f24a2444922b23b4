/* A signal to a thread that may have ended: it could have come before its end. */
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;

static void handler(int sig)
{
    handled = 1;
}

static void *ends(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, ends, NULL);
    int status = pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return status;
}
