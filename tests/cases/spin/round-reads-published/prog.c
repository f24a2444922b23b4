/* What the rounds read was written before they could see it: no race, and they are left out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, y;
static int data;

static void *waits(void *arg)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire) || (data != 5 && !y))
        ;
    assert(data == 4);
    return arg;
}

static void *sets(void *arg)
{
    data = 4;
    atomic_store_explicit(&ready, 1, memory_order_release);
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, sets, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
