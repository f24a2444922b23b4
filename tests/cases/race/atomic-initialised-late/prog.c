/* The object is initialised when a thread exists that uses it: not ordered, though others are atomic. */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_uint ready;
    int value;
} cell;

static void *looks(void *unused)
{
    (void)atomic_load_explicit(&cell.ready, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, looks, NULL);
    *(volatile unsigned *)&cell.ready = 1;
    (void)atomic_load_explicit(&cell.ready, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
