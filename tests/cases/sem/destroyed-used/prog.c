/* Destroyed while a thread waits; used after it was destroyed; initialised again while others use it. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *wait(void *arg)
{
    sem_wait(&s);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, wait, NULL);
    if (argc > 2) {
        sem_post(&s);
        sem_init(&s, 0, 1);
    } else {
        sem_destroy(&s);
        if (argc > 1)
            sem_wait(&s); /* BUG */
    }
    pthread_join(t, NULL);
    return 0;
}
