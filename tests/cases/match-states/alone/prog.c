/* A thread waits for a flag that nobody sets, and nobody else has to do with. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, done;

static void *wait_for_it(void *arg)
{
    while (!atomic_load(&ready)) /* BUG */
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, NULL);
    atomic_store(&done, 1); /* was meant to be ready */
    pthread_join(t, NULL);
}
