/* K threads take a ticket lock N times each; who waits looks until it is his turn. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int inside;

static void *work(void *arg)
{
    for (int i = 0; i < N; i++) {
        unsigned ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
        while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
            ;
        inside++;
        atomic_store_explicit(&serving, ticket + 1, memory_order_release);
    }
    return arg;
}

int main(void)
{
    pthread_t t[K];
    for (int i = 0; i < K; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < K; i++)
        pthread_join(t[i], NULL);
    return inside != N * K;
}
