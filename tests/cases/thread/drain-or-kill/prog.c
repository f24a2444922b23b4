#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* The thread may come to its assertion before main has returned, also if that ends it. */
static void *work(void *arg)
{
    assert(arg); /* BUG */
    return NULL;
}

atomic_int x;

static void *late(void *arg)
{
    atomic_fetch_add(&x, 1);
    return work(NULL);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, late, NULL);
    return 0;
}
