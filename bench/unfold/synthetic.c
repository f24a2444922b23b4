/* Synthetic (table 8.1), our design: threads read and write three numbers, one of two ways after a
 * choice, and every other one adds under a lock. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int i, j, k;

static void *even(void *arg)
{
    int v = atomic_load(&i) + atomic_load(&j);
    atomic_store(raddle_choose(2) ? &j : &k, v + 1);
    return arg;
}

static void *odd(void *arg)
{
    pthread_mutex_lock(&lock);
    atomic_store(&i, atomic_load(&k) + 2);
    pthread_mutex_unlock(&lock);
    (void)atomic_load(&j);
    return arg;
}

int main(void)
{
    pthread_t t;
    for (long n = 0; n < N; n++)
        pthread_create(&t, NULL, n % 2 ? odd : even, NULL);
    pthread_exit(NULL);
}
