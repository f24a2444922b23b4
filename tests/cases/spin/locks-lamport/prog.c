/* Lamport's fast mutual exclusion. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int b[N + 1], x, y;
static int count;
static void *work(void *a)
{
    int me = (int)(long)a + 1;
    for (;;) {
        atomic_store(&b[me], 1);
        atomic_store(&x, me);
        if (atomic_load(&y) != 0) {
            atomic_store(&b[me], 0);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, me);
        if (atomic_load(&x) != me) {
            atomic_store(&b[me], 0);
            for (int i = 1; i <= N; i++)
                while (atomic_load(&b[i]))
                    ;
            if (atomic_load(&y) != me) {
                while (atomic_load(&y) != 0)
                    ;
                continue;
            }
        }
        break;
    }
    count++;
    atomic_store(&y, 0);
    atomic_store(&b[me], 0);
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
