/* One thread initialises an object by a plain write and tells another by a relaxed store, which orders
 * nothing: its write is not over and done with for the other, though it goes on with atomics. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int told;
static atomic_int object;

static void *makes(void *unused)
{
    *(volatile int *)&object = 1;
    atomic_fetch_add(&object, 1);
    atomic_store_explicit(&told, 1, memory_order_relaxed);
    return unused;
}

static void *uses(void *unused)
{
    if (atomic_load_explicit(&told, memory_order_relaxed))
        atomic_fetch_add_explicit(&object, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, makes, NULL);
    pthread_create(&two, NULL, uses, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
