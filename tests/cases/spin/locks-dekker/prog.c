/* Dekker's lock for two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 2
#endif
static atomic_int wants[2], turn;
static int count;
static void *work(void *a)
{
    int me = (int)(long)a, other = 1 - me;
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&wants[me], 1);
        while (atomic_load(&wants[other])) {
            if (atomic_load(&turn) == me)
                continue;
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&wants[me], 1);
        }
        count++;
        atomic_store(&turn, other);
        atomic_store(&wants[me], 0);
    }
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(count == 2 * ROUNDS);
    return 0;
}
