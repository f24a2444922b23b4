/* A semaphore that had no token left is initialised again with one: any of three can have it first. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int first;

static void *use(void *who)
{
    sem_wait(&s);
    if (!first)
        first = *(int *)who;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int names[3] = {1, 2, 3};
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_destroy(&s);
    sem_init(&s, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use, &names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(first != 3);
    return 0;
}
