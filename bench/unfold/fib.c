/* Fib (table 8.1): two threads add to each other's number N times; main looks at both and joins nobody. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void *add_j(void *arg)
{
    for (int k = 0; k < N; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return arg;
}

static void *add_i(void *arg)
{
    for (int k = 0; k < N; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add_j, NULL);
    pthread_create(&t, NULL, add_i, NULL);
    (void)atomic_load(&i);
    (void)atomic_load(&j);
    pthread_exit(NULL);
}
