/* Lamport's bakery. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
static atomic_int choosing[N], number[N];
static int count;
static void *work(void *a)
{
    int me = (int)(long)a, most = 0;
    atomic_store(&choosing[me], 1);
    for (int i = 0; i < N; i++) {
        int n = atomic_load(&number[i]);
        most = n > most ? n : most;
    }
    int mine = most + 1;
    atomic_store(&number[me], mine);
    atomic_store(&choosing[me], 0);
    for (int i = 0; i < N; i++) {
        if (i == me)
            continue;
        while (atomic_load(&choosing[i]))
            ;
        for (;;) {
            int n = atomic_load(&number[i]);
            if (n == 0 || n > mine || (n == mine && i > me))
                break;
        }
    }
    count++;
    atomic_store(&number[me], 0);
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
