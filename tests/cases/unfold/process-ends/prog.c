/* One waits for ever: where another thread ends the process that is its end, and where it does not main waits
 * for ever, too. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t s;
static atomic_int x;

static void *wait(void *arg)
{
    if (x == 1)
        sem_wait(&s);
    return arg;
}

static void *end(void *arg)
{
    x = 1;
    if (x == 2)
        return arg;
    exit(0);
}

static void *write(void *arg)
{
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&s, 0, 0);
    pthread_create(&t[0], NULL, wait, NULL);
    pthread_create(&t[1], NULL, end, NULL);
    pthread_create(&t[2], NULL, write, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
