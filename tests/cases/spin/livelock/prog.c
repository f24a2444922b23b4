#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;

static void *first(void *arg)
{
    while (!atomic_load(&a))
        ;
    atomic_store(&b, 1);
    return NULL;
}

static void *second(void *arg)
{
    while (!atomic_load(&b))
        ;
    atomic_store(&a, 1);
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
