#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/* Blocks made by one thread, used and freed by another. */
sem_t full;
int *slot[3];

static void *consumer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&full);
        assert(*slot[i] == i);
        free(slot[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, consumer, NULL);
    for (int i = 0; i < 3; i++) {
        slot[i] = malloc(sizeof *slot[i]);
        *slot[i] = i;
        sem_post(&full);
    }
    pthread_join(t, NULL);
    return 0;
}
