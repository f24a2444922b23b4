/* The classical lock: exchange until it was free, a plain store to give it back. What it protects is
 * ordered by it, and waiting for it ends. */
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int x;

static void take(volatile int *l)
{
    int v = 1;
    for (;;) {
        __asm__ __volatile__("xchgl %0, %1" : "=r"(v), "=m"(*l) : "0"(1), "m"(*l) : "memory");
        if (!v)
            return;
        __asm__ __volatile__("rep; nop" : : : "memory");
    }
}

static void give(volatile int *l)
{
    __asm__ __volatile__("" : : : "memory");
    __asm__ __volatile__("movl $0, %0" : "=m"(*l) : : "memory");
}

static void *work(void *arg)
{
    take(&lock);
    x++;
    give(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(x == 3);
    return 0;
}
