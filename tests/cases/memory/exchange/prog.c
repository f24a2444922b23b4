#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Two threads take turns with exchange; one of them sees the other's value. */
atomic_int x;

static void *work(void *arg)
{
    int old = atomic_exchange(&x, 1);
    assert(old == 0); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
