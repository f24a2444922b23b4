#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* A load and a store, each atomic, do not make an atomic update. */
atomic_int x;

static void *work(void *arg)
{
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 2); /* BUG */
    return 0;
}
