/* A relaxed store by the thread that made the release store before it continues its release sequence
 * (C11 to C17): who reads the relaxed one has synchronized with the release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 7;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 7);
    pthread_join(t, 0);
    return 0;
}
