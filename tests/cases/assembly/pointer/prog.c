/* The place as a pointer in a register. */
#include <assert.h>
#include <pthread.h>

static long x;

static void *work(void *arg)
{
    long one = 1;
    asm volatile("lock; xaddq %0, (%1)" : "+r"(one) : "r"(&x) : "memory");
    return arg;
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
