/* A bounded queue for any number of producers and consumers (Vyukov): every cell has a sequence
 * number that says whose turn it is. K producers put N numbers each, one consumer takes them
 * all. */
#include <pthread.h>
#include <stdatomic.h>

enum { CELLS = 2 };

static struct {
    atomic_uint sequence;
    int value;
} cells[CELLS];
static atomic_uint head, tail;

static void put(int value)
{
    unsigned at = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
    while (atomic_load_explicit(&cells[at % CELLS].sequence, memory_order_acquire) != at)
        ;
    cells[at % CELLS].value = value;
    atomic_store_explicit(&cells[at % CELLS].sequence, at + 1, memory_order_release);
}

static int take(void)
{
    unsigned at = atomic_fetch_add_explicit(&head, 1, memory_order_relaxed);
    while (atomic_load_explicit(&cells[at % CELLS].sequence, memory_order_acquire) != at + 1)
        ;
    int value = cells[at % CELLS].value;
    atomic_store_explicit(&cells[at % CELLS].sequence, at + CELLS, memory_order_release);
    return value;
}

static void *produce(void *arg)
{
    for (int i = 0; i < N; i++)
        put(1);
    return arg;
}

int main(void)
{
    pthread_t t[K];
    int sum = 0;
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&cells[i].sequence, i);
    for (int i = 0; i < K; i++)
        pthread_create(&t[i], NULL, produce, NULL);
    for (int i = 0; i < N * K; i++)
        sum += take();
    for (int i = 0; i < K; i++)
        pthread_join(t[i], NULL);
    return sum != N * K;
}
