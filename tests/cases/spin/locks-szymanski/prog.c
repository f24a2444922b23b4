/* Szymanski's lock with its loops as they are, not bounded. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
static atomic_int flag[N];
static int count;
static int any(int from, int to, int least, int most)
{
    for (int i = from; i < to; i++) {
        int f = atomic_load(&flag[i]);
        if (f >= least && f <= most)
            return 1;
    }
    return 0;
}
static void *work(void *a)
{
    int me = (int)(long)a;
    atomic_store(&flag[me], 1);
    while (any(0, N, 3, 4))
        ;
    atomic_store(&flag[me], 3);
    if (any(0, N, 1, 1)) {
        atomic_store(&flag[me], 2);
        while (!any(0, N, 4, 4))
            ;
    }
    atomic_store(&flag[me], 4);
    while (any(0, me, 2, 4))
        ;
    count++;
    while (any(me + 1, N, 2, 3))
        ;
    atomic_store(&flag[me], 0);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N);
    return 0;
}
