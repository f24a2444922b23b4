#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Each thread has a mutex of its own for the same variable. */
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int x;

static void add(int i)
{
    pthread_mutex_lock(&m[i]);
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
    pthread_mutex_unlock(&m[i]);
}

static void *first(void *arg)
{
    add(0);
    return NULL;
}

static void *second(void *arg)
{
    add(1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); /* BUG */
    return 0;
}
