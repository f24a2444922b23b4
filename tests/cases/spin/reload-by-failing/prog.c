/* A compare-exchange that fails is tried again with what it found itself. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
static atomic_int x;
static void *add(void *a)
{
    int old = x;
    while (!atomic_compare_exchange_strong(&x, &old, old + 1))
        ;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(x == N);
}
