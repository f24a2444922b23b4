/* Bounded buffer with 2 slots and semaphores, the mutex outside; 3 producers, 3 consumers. */
#include <raddle/sync.h>

static raddle_semaphore empty = RADDLE_SEMAPHORE(2), full = RADDLE_SEMAPHORE(0);
static raddle_semaphore d = RADDLE_SEMAPHORE(1), w = RADDLE_SEMAPHORE(1);

static void *producer(void *arg)
{
    raddle_symmetric(1);
    raddle_semaphore_wait(&d);
    raddle_semaphore_wait(&empty);
    raddle_semaphore_post(&full);
    raddle_semaphore_post(&d);
    return NULL;
}

static void *consumer(void *arg)
{
    raddle_symmetric(2);
    raddle_semaphore_wait(&w);
    raddle_semaphore_wait(&full);
    raddle_semaphore_post(&empty);
    raddle_semaphore_post(&w);
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, i < 3 ? producer : consumer, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
