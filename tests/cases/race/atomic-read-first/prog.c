/* The plain write comes after an atomic read of the same variable by another thread, in no order: relaxed
 * operations order nothing. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, done;

static void *look(void *arg)
{
    atomic_load(&x);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        *(int *)&x = 1; // RACE
    pthread_join(t, NULL);
    return 0;
}
