/* A lock whose loop pauses between two attempts, each time twice as often, or as often as a generator of
 * random numbers says: how often makes no difference to anybody, since the pausing comes to an end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int count;

static inline void relax(void)
{
    __builtin_ia32_pause();
}

#ifdef RANDOM
#define NEXT(n) ((n) * 1103515245u + 12345u)
#define PAUSES(n) ((n) & 7)
#else
#define NEXT(n) ((n) * 2)
#define PAUSES(n) (n)
#endif

static void lock(void)
{
    unsigned delay = 1;
    while (atomic_exchange(&taken, 1)) {
        for (unsigned i = 0; i < PAUSES(delay); i++)
            relax();
        delay = NEXT(delay);
    }
}

static void *work(void *arg)
{
    lock();
    count++;
    atomic_store(&taken, 0);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 3);
    return 0;
}
