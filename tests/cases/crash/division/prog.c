#include <pthread.h>
#include <stdatomic.h>

atomic_int d = 1;
volatile int result;

static void *first(void *arg)
{
    atomic_store(&d, 0);
    return NULL;
}

static void *second(void *arg)
{
    int by = atomic_load(&d);
    result = 10 / by; /* BUG */
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
