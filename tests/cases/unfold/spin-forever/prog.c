/* A spinlock of exchanges, and a thread that waits for a flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock, flag, inside;

static void *enter(void *arg)
{
    while (atomic_exchange(&lock, 1)) {
    }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&lock, 0);
    atomic_fetch_add(&flag, 1);
    return arg;
}

static void *wait(void *arg)
{
    while (atomic_load(&flag) < ENOUGH) { /* HERE */
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, NULL);
    pthread_create(&t, NULL, enter, NULL);
    pthread_create(&t, NULL, wait, NULL);
    pthread_exit(NULL);
}
