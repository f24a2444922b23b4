/* Ten threads that each increment a shared variable without a lock, N times; every increment is an
 * instruction of its own, so there are 20 × N accesses that race. */
#include <pthread.h>

static volatile int x;

#define ONE x = x + 1;
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#if N == 100
#define ALL TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#else
#define ALL TEN
#endif
#define THREAD(name)                                                                               \
    static void *name(void *unused)                                                                \
    {                                                                                              \
        ALL return unused;                                                                         \
    }
THREAD(t0)
THREAD(t1)
THREAD(t2)
THREAD(t3)
THREAD(t4)
THREAD(t5)
THREAD(t6)
THREAD(t7)
THREAD(t8)
THREAD(t9)

int main(void)
{
    void *(*of[])(void *) = {t0, t1, t2, t3, t4, t5, t6, t7, t8, t9};
    pthread_t threads[10];
    for (int i = 0; i < 10; i++)
        pthread_create(&threads[i], 0, of[i], 0);
    for (int i = 0; i < 10; i++)
        pthread_join(threads[i], 0);
    return 0;
}
