#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* The same with relaxed accesses orders nothing: the data is read in a race. */
int data;
atomic_int ready;

static void *first(void *arg)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

static void *second(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        return data ? NULL : arg;
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
