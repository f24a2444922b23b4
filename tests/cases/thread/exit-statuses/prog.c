#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Whoever comes to exit first runs the handlers, once; the status is that thread's. */
static atomic_int handlers;

static void count(void)
{
    int before = atomic_fetch_add(&handlers, 1);
    assert(before == 0);
}

static void *leave(void *arg)
{
    exit((int)(long)arg);
}

int main(void)
{
    pthread_t a, b;
    atexit(count);
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, leave, (void *)(3L));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!"both wait for ever");
}
