/* The assumption fails in the first execution, before the other thread has come to the store that would
 * make it true: that thread must be run to its end for the race between the two to be seen. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int ready, data;

static void *producer(void *arg)
{
    atomic_store(&data, 1);
    atomic_store(&ready, 1);
    return arg;
}

static void *consumer(void *arg)
{
    __VERIFIER_assume(atomic_load(&ready) == 1);
    assert(atomic_load(&data) == 0); // BUG: never
    return arg;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(c, NULL);
    pthread_join(p, NULL);
    return 0;
}
