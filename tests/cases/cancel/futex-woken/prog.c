/* A thread that waits on a futex is cancelled and woken: it acts on the request after the wait, which has
 * returned. A wait with a limit returns as well. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, returned;

static void *waiter(void *arg)
{
    struct timespec limit = {1, 0};
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, arg ? &limit : NULL, NULL, 0);
    returned++;
    pthread_testcancel();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, waiter, i ? &t : NULL);
    for (int i = 0; i < 2; i++)
        pthread_cancel(t[i]);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 2, NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(returned == 2);
    return 0;
}
