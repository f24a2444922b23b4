/* The first round reads data, the second one is seen by the one that writes it, without being ordered. */
#include <pthread.h>
#include <stdatomic.h>

#define ADD(v, k) atomic_fetch_add_explicit(&v, k, memory_order_relaxed)

static atomic_int x, y, stop;
static int data;

static void *goes_round(void *arg)
{
    while (!stop) {
        if (atomic_load_explicit(&y, memory_order_relaxed) == 0) {
            if (data == 5)
                return arg;
            ADD(x, 1);
            ADD(x, -1);
        } else {
            ADD(x, 2);
            ADD(x, -2);
        }
    }
    return arg;
}

static void *sets(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

static void *writes(void *arg)
{
    if (atomic_load_explicit(&x, memory_order_relaxed) == 2)
        data = 1;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, goes_round, NULL);
    pthread_create(&t[1], NULL, sets, NULL);
    pthread_create(&t[2], NULL, writes, NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    stop = 1;
    pthread_join(t[0], NULL);
    return 0;
}
