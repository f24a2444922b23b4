/* K threads take an MCS lock N times each (Mellor-Crummey and Scott 1991): a queue of waiters,
 * each looking at a flag of its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

static _Atomic(struct node *) tail;
static struct node nodes[K];
static int inside;

static void lock(struct node *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
}

static void unlock(struct node *me)
{
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire), *mine = me;
    if (!next && atomic_compare_exchange_strong_explicit(&tail, &mine, NULL, memory_order_acq_rel,
                                                         memory_order_relaxed))
        return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
        ;
    atomic_store_explicit(&next->waits, 0, memory_order_release);
}

static void *work(void *arg)
{
    for (int i = 0; i < N; i++) {
        lock(arg);
        inside++;
        unlock(arg);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[K];
    for (int i = 0; i < K; i++)
        pthread_create(&t[i], NULL, work, &nodes[i]);
    for (int i = 0; i < K; i++)
        pthread_join(t[i], NULL);
    return inside != N * K;
}
