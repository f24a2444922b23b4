/* A grace period as in RCU: the writer waits for each reader to be outside once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef R
#define R 2
#endif
static atomic_int inside[R];
static int a_alive = 1, b_alive = 1;
static _Atomic(int *) shared = &a_alive;
static void *reader(void *a)
{
    long i = (long)a;
    atomic_store(&inside[i], 1);
    int *p = atomic_load(&shared);
    assert(*p);
    atomic_store(&inside[i], 0);
    return 0;
}
static void *writer(void *a)
{
    int *old = atomic_exchange(&shared, &b_alive);
    for (int i = 0; i < R; i++)
        while (atomic_load(&inside[i]))
            ;
    *old = 0;
    return a;
}
int main(void)
{
    pthread_t t[R + 1];
    for (long i = 0; i < R; i++)
        pthread_create(&t[i], 0, reader, (void *)i);
    pthread_create(&t[R], 0, writer, 0);
    for (int i = 0; i <= R; i++)
        pthread_join(t[i], 0);
    return 0;
}
