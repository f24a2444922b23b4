/* A thread creates threads that create threads, all detached; the last one to finish ends the program. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <stdint.h>

static atomic_int order, left = 4;
static sem_t done;

static void start(void *(*f)(void *), intptr_t depth)
{
    pthread_t t;
    pthread_create(&t, NULL, f, (void *)depth);
    pthread_detach(t);
}

static void *tree(void *arg)
{
    if (arg)
        start(tree, (intptr_t)arg - 1);
    else
        order = order * 2 + 1;
    if (--left == 0)
        sem_post(&done);
    return NULL;
}

int main(void)
{
    sem_init(&done, 0, 0);
    start(tree, 1);
    start(tree, 1);
    sem_wait(&done);
    assert(order == 3); /* one of the two may be lost */
    return 0;
}
