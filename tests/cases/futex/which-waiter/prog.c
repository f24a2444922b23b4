/* Two threads wait on one futex; one of them is woken, and the program relies on which. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, waiting, woken;

static void *wait_for_it(void *arg)
{
    waiting++;
    if (!syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0)) {
        if (!woken)
            woken = (int)(long)arg;
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, wait_for_it, (void *)(i + 1));
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(woken != 2); /* BUG */
    return 0;
}
