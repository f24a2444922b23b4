/* Threads that count their rounds; nobody looks at the count, or it only says how to give way. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#ifndef N
#define N 3
#endif
static atomic_int next, owner;
static int count;
#ifndef BODY
#define BODY rounds++
#endif
static void *work(void *a)
{
    int ticket = atomic_fetch_add(&next, 1), rounds = 0;
    while (owner != ticket) {
        BODY;
    }
    count++;
    owner = ticket + 1;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N);
}
