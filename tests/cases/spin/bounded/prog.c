#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* A bounded spin loop may give up: it is not a spin loop that waits for ever. */
atomic_int flag;

static void *first(void *arg)
{
    atomic_store(&flag, 1);
    return NULL;
}

static void *second(void *arg)
{
    int seen = 0;
    for (int i = 0; i < 4 && !seen; i++)
        seen = atomic_load(&flag);
    assert(seen); /* BUG */
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
