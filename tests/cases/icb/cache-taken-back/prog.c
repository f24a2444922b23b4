/* It waits for what nobody does. To the loop it is another state, the first time, what its part of the stack
 * held before: that it goes round is found twice. The step that was taken back counted as searched then. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x, y;

__attribute__((noinline)) static void put(volatile int *to)
{
    *to = 1;
}

__attribute__((noinline)) static void wait_for_x(void)
{
    int unused[256];
    if (y)
        put(&unused[3]);
    while (x != 2)
        ;
}

static void *waits(void *arg)
{
    y = 0;
    y = 0;
    wait_for_x();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    pthread_join(t, NULL);
    return 0;
}
