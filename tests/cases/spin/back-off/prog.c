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
static atomic_int lock;
static int count;
static void pause(int n)
{
    for (volatile int i = 0; i < n; i++)
        __builtin_ia32_pause();
}
static void *work(void *a)
{
    int delay = 1;
    for (;;) {
        while (lock)
            GIVE;
        if (!atomic_exchange(&lock, 1))
            break;
        pause(delay);
        GIVE;
        if (delay < 8)
            delay *= 2;
    }
    count++;
    lock = 0;
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
