/* Dining philosophers whose forks are spin locks; the last one takes them the other way round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int fork_[N];
static int meals[N];
static void take(int i)
{
    while (atomic_exchange(&fork_[i], 1))
        ;
}
static void *dine(void *a)
{
    int i = (int)(long)a, j = (i + 1) % N;
    int first = i < j ? i : j, second = i < j ? j : i;
    take(first);
    take(second);
    meals[i]++;
    atomic_store(&fork_[second], 0);
    atomic_store(&fork_[first], 0);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++)
        assert(meals[i] == 1);
    return 0;
}
