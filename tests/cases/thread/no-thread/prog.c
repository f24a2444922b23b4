/* A thread is joined whose number another thread has not stored yet: the C library looks at address 0. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic pthread_t worker;

static void *work(void *arg)
{
    return arg;
}

static void *join(void *arg)
{
    pthread_join(atomic_load(&worker), NULL); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t, joiner;
    pthread_create(&joiner, NULL, join, NULL);
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&worker, t);
    pthread_join(joiner, NULL);
    return 0;
}
