/* What is read in the round may be written by somebody who has seen that the lock was free, without
 * synchronization: the race is not lost. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int ready;

static void *poll(void *arg)
{
    for (int i = 0;; i = 1) {
        while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
            ;
        int done = ready;
        atomic_store_explicit(&taken, 0, memory_order_relaxed);
        if (done)
            return arg;
    }
}

static void *set(void *arg)
{
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        ;
    ready = 1;
    atomic_store_explicit(&taken, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, poll, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
