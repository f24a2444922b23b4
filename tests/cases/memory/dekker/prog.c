#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Under sequential consistency at most one thread sees the other's flag unset. */
atomic_int x, y, in;

static void *first(void *arg)
{
    atomic_store(&x, 1);
    if (!atomic_load(&y))
        assert(atomic_fetch_add(&in, 1) == 0);
    return NULL;
}

static void *second(void *arg)
{
    atomic_store(&y, 1);
    if (!atomic_load(&x))
        assert(atomic_fetch_add(&in, 1) == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
