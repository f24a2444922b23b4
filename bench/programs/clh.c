/* K threads take a CLH lock N times each (Craig; Landin and Hagersten): who waits looks at the
 * flag of who came before, and takes over that node. */
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int busy;
};

static struct node nodes[K + 1];
static _Atomic(struct node *) tail = &nodes[K];
static int inside;

static void *work(void *arg)
{
    struct node *me = arg;
    for (int i = 0; i < N; i++) {
        atomic_store_explicit(&me->busy, 1, memory_order_relaxed);
        struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
        while (atomic_load_explicit(&before->busy, memory_order_acquire))
            ;
        inside++;
        atomic_store_explicit(&me->busy, 0, memory_order_release);
        me = before;
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
