#include <assert.h>
#include <pthread.h>

#include <semaphore.h>

sem_t full;
int data;

static void *first(void *arg)
{
    data = 5;
    sem_post(&full);
    return NULL;
}

static void *second(void *arg)
{
    sem_wait(&full);
    assert(data == 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&full, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
