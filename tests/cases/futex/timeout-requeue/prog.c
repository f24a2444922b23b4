/* A timed wait, bit sets, requeueing. */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int a, b, entered;

static void *waiter(void *arg)
{
    atomic_fetch_add(&entered, 1);
    while (!atomic_load(&b))
        syscall(SYS_futex, &a, FUTEX_WAIT_BITSET, 0, NULL, NULL, 4);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = {.tv_nsec = 1000};
    assert(syscall(SYS_futex, &a, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &a, FUTEX_WAIT, 0, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
    pthread_create(&t, NULL, waiter, NULL);
    atomic_store(&b, 1);
    long moved = syscall(SYS_futex, &a, FUTEX_REQUEUE, 0, 1, &b, 0);
    atomic_store(&a, 1);
    syscall(SYS_futex, moved ? &b : &a, FUTEX_WAKE_BITSET, 1, NULL, NULL, 4);
    pthread_join(t, NULL);
    return 0;
}
