/* Spin a little, then park on a futex: 0 free, 1 taken, 2 taken and somebody waits. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef GIVE
#define GIVE
#endif
#ifndef N
#define N 2
#endif
static atomic_int lock;
static int count;
static void take(void)
{
    for (int i = 0; i < 2; i++) {
        int free = 0;
        if (atomic_compare_exchange_strong(&lock, &free, 1))
            return;
        GIVE;
    }
    while (atomic_exchange(&lock, 2))
        syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}
static void give(void)
{
    if (atomic_exchange(&lock, 0) == 2)
        syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
static void *work(void *a)
{
    take();
    count++;
    give();
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
