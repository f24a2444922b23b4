/* FUTEX_WAKE_OP changes the second word and wakes who waits on the first, and on the second if
 * its old value was so. */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first, second;

static void *waits(void *word)
{
    while (*(atomic_int *)word == 0)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waits, &first);
    pthread_create(&b, 0, waits, &second);
    first = 1;
    long woken = syscall(SYS_futex, &first, FUTEX_WAKE_OP_PRIVATE, 1, 1, &second,
                         FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0));
    assert(woken >= 0 && woken <= 2 && second == 5);
    pthread_join(a, 0);
    pthread_join(b, 0);
    woken = syscall(SYS_futex, &first, FUTEX_WAKE_OP_PRIVATE, 1, 1, &second,
                    FUTEX_OP(FUTEX_OP_ADD | FUTEX_OP_OPARG_SHIFT, 3, FUTEX_OP_CMP_GT, 0));
    assert(woken == 0 && second == 13);
    return 0;
}
