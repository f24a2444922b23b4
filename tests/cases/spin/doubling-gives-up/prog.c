/* As doubling, but it gives up when the delay has become long: that is found. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static int lock(void)
{
    for (unsigned delay = 1; delay < 16; delay *= 2) {
        if (!atomic_exchange(&taken, 1))
            return 1;
        for (unsigned i = 0; i < delay; i++)
            __builtin_ia32_pause();
    }
    return 0;
}

static void *work(void *arg)
{
    int got_it = lock();
    assert(got_it); /* BUG */
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
