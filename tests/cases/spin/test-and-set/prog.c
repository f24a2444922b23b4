#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* A lock made of compare-exchange. */
atomic_int held;
int x;

static void *work(void *arg)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(&held, &expected, 1))
        expected = 0;
    x++;
    atomic_store(&held, 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
