#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Threads that create threads, three deep. */
atomic_int x;

static void *work(void *arg)
{
    long depth = (long)arg;
    pthread_t t;
    if (depth > 0) {
        pthread_create(&t, NULL, work, (void *)(depth - 1));
        pthread_join(t, NULL);
    }
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    work((void *)3);
    assert(x == 4);
    return 0;
}
