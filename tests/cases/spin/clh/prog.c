#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifndef GIVE
#define GIVE
#endif
#ifndef N
#define N 2
#endif
#ifndef R
#define R 2
#endif
struct node {
    atomic_int locked;
};
static struct node nodes[N + 1];
static _Atomic(struct node *) tail = &nodes[N];
static int count;
static void *work(void *a)
{
    struct node *me = &nodes[(long)a];
    for (int i = 0; i < R; i++) {
        me->locked = 1;
        struct node *before = atomic_exchange(&tail, me);
        while (before->locked)
            GIVE;
        count++;
        me->locked = 0;
        me = before;
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
