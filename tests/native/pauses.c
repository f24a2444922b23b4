/* The pausing goes in steps of two, and after some rounds it misses its end. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static void lock(void)
{
    unsigned delay = 2;
    while (atomic_exchange(&taken, 1)) {
        for (unsigned i = 0; i != delay; i += 2)
            __builtin_ia32_pause();
        delay += 3;
    }
}

static void *work(void *arg)
{
    lock();
    atomic_store(&taken, 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
