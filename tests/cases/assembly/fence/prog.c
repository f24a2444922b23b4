/* Fences are nothing under sequential consistency, but they order for the race check; barriers for the
 * compiler, pauses and arithmetic are nothing at all. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *work(void *arg)
{
    data = 1;
    asm volatile("mfence" ::: "memory");
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a;
    unsigned bit;
    pthread_create(&a, NULL, work, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        __asm__ __volatile__("pause");
    __asm__ __volatile__("lock; addl $0, 0(%%rsp)" ::: "memory", "cc");
    assert(data == 1);
    __asm__("bsrl %1, %0" : "=r"(bit) : "r"(16u) : "cc");
    __asm__("" : "+m"(data));
    assert(bit == 4);
    pthread_join(a, NULL);
    return 0;
}
