/* Main returns, which ends the process whoever waits, or ends as a thread alone: then the one who
 * waits does so for ever. No execution that is run for another reason shows that, and the former is no
 * deadlock. */
#include <pthread.h>
#include <raddle.h>
#include <semaphore.h>

static sem_t never;

static void *wait(void *arg)
{
    if (raddle_choose(2))
        sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, wait, NULL);
    if (raddle_choose(2))
        pthread_exit(NULL);
    return 0;
}
