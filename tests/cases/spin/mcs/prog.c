#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef GIVE
#define GIVE
#endif
#ifndef N
#define N 2
#endif
#ifndef R
#define R 1
#endif
struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
};
static _Atomic(struct node *) tail;
static struct node nodes[N];
static int count;
static void *work(void *a)
{
    struct node *me = &nodes[(long)a];
    for (int i = 0; i < R; i++) {
        me->next = NULL;
        me->locked = 1;
        struct node *before = atomic_exchange(&tail, me);
        if (before) {
            before->next = me;
            while (me->locked)
                GIVE;
        }
        count++;
        if (!me->next) {
            struct node *expected = me;
            if (atomic_compare_exchange_strong(&tail, &expected, NULL))
                continue;
            while (!me->next)
                GIVE;
        }
        struct node *n = me->next;
        n->locked = 0;
    }
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N * R);
}
