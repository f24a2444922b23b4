/* Atomic objects that main initialises by plain writes before there are threads, next to plain data in the
 * same word which they hand over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_uint ready;
    int value;
} cell;

static void *puts_value(void *unused)
{
    cell.value = 7;
    atomic_store_explicit(&cell.ready, 2, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    atomic_init(&cell.ready, 1);
    pthread_create(&thread, NULL, puts_value, NULL);
    if (atomic_load_explicit(&cell.ready, memory_order_acquire) == 2)
        assert(cell.value == 7);
    pthread_join(thread, NULL);
    return 0;
}
