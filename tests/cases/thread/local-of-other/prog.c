/* A thread-local variable is used by another thread while its own waits for that. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static __thread int mine = 5;
static __thread struct { int a[20]; } more;
static int *shared;
static sem_t there, used;

static void *worker(void *arg)
{
    mine = 7;
    more.a[3] = 1;
    shared = &mine;
    sem_post(&there);
    sem_wait(&used);
    assert(mine == 8 && more.a[3] == 1 && !errno);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&there, 0, 0);
    sem_init(&used, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&there);
    ++*shared;
    sem_post(&used);
    pthread_join(t, NULL);
    assert(mine == 5);
}
