/* A lock that sleeps on a futex while its word is 2. Meanwhile it is 1: while the lock is being given
 * back, and because a thread that was woken puts 1 there. Then a wait fails at once, and its loop
 * only looks until there is 0. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef N
#define N 2
#endif

static atomic_int word;
static int count;

static void lock(void)
{
    int seen = 0;
    for (int i = 0; i < 2; i++, seen = 0)
        if (atomic_compare_exchange_strong(&word, &seen, 1))
            return;
    seen = atomic_exchange(&word, 2);
    while (seen) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
        seen = atomic_exchange(&word, 1);
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&word, 1) == 1)
        return;
    atomic_store(&word, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void *work(void *arg)
{
    lock();
    count++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(count == N);
    return 0;
}
