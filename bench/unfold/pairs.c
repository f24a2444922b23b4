/* Pairs (table 8.1): four pairs of threads, each writes the variable of its pair and goes one of two ways. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

atomic_int x[4];

static void *write_it(void *arg)
{
    atomic_store(&x[(long)arg / 2], (int)(long)arg);
    raddle_choose(2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 8; i++)
        pthread_create(&t, NULL, write_it, (void *)i);
    pthread_exit(NULL);
}
