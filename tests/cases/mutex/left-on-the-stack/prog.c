// A local mutex is left locked; the next call initialises another one at the same address.
#include <assert.h>
#include <pthread.h>

static void __attribute__((noinline)) leaves_it_locked(void)
{
    pthread_mutex_t m;
    assert(pthread_mutex_init(&m, NULL) == 0);
    assert(pthread_mutex_trylock(&m) == 0);
}

static void *other(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    leaves_it_locked();
    leaves_it_locked();
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    return 0;
}
