/* A flag is polled under a spin lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int ready, data;

static void lock(void)
{
    while (atomic_exchange(&taken, 1))
        ;
}

static void unlock(void)
{
    atomic_store(&taken, 0);
}

static void *poll(void *arg)
{
    for (int done = 0; !done;) {
        lock();
        done = ready;
        unlock();
    }
    assert(data == 1);
    return arg;
}

static void *set(void *arg)
{
    lock();
    data = 1;
    ready = 1;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, poll, NULL);
    pthread_create(&t[1], NULL, poll, NULL);
    pthread_create(&t[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
