/* Main takes the only token and cancels the thread that waits for it. The other way
 * round the thread has it, and main waits for ever. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *takes(void *a)
{
    sem_wait(&s);
    return a;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, takes, 0);
    sem_wait(&s);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
