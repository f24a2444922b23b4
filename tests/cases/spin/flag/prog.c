#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

static void *first(void *arg)
{
    data = 1;
    atomic_store(&flag, 1);
    return NULL;
}

static void *second(void *arg)
{
    while (!atomic_load(&flag))
        ;
    assert(data == 1);
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
