/* A thread looks whether a signal has come, and pauses: the signal that comes in between is the last one. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void note(int sig)
{
    came = sig;
}

static void *wait_for_it(void *arg)
{
    while (!came)
        pause(); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, note);
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
