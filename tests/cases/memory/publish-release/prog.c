#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Message passing with release and acquire: ordered. */
int data;
atomic_int ready;

static void *first(void *arg)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *second(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
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
