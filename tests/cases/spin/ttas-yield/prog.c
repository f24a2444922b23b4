#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
#ifndef R
#define R 2
#endif
#ifndef GIVE
#define GIVE sched_yield()
#endif
atomic_int lock;
int count;
static void *work(void *a)
{
    for (int i = 0; i < R; i++) {
        for (;;) {
            while (lock)
                GIVE;
            if (!atomic_exchange(&lock, 1))
                break;
        }
        count++;
        lock = 0;
    }
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N * R);
}
