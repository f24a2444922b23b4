#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef N
#define N 4
#endif
atomic_int lock;
int count;
static void *w(void *a)
{
    while (atomic_exchange(&lock, 1))
        ;
    count++;
    lock = 0;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, w, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N);
}
