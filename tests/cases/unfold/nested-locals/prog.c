/* Two threads create one each, in either order, and each of these has a variable of its own that its creator
 * changes, too: whose it is follows from its address. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local atomic_int own;
static _Atomic(atomic_int *) where[2];
static sem_t done[2];

static void *show(void *arg)
{
    size_t i = (size_t)arg;
    where[i] = &own;
    own += 1 + (int)i;
    sem_wait(&done[i]);
    return NULL;
}

static void *create(void *arg)
{
    size_t i = (size_t)arg;
    pthread_t t;
    pthread_create(&t, NULL, show, arg);
    atomic_int *its = where[i];
    if (its)
        atomic_fetch_add(its, 10);
    sem_post(&done[i]);
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&done[0], 0, 0);
    sem_init(&done[1], 0, 0);
    for (size_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, create, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
