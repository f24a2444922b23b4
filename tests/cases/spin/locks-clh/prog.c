/* CLH queue lock: each waits on the node of the one before it and takes that node over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
static struct node { atomic_int locked; } nodes[N + 1];
static _Atomic(struct node *) tail = &nodes[N];
static int count;
static void *work(void *a)
{
    struct node *mine = &nodes[(long)a];
    atomic_store(&mine->locked, 1);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->locked))
        ;
    count++;
    atomic_store(&mine->locked, 0);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N);
    return 0;
}
