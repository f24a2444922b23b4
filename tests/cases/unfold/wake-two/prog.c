/* Three wait and two are woken, which is a choice: who was is known from there on, so no execution is needed
 * to find out that the third one cannot go on. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waiter(void *arg)
{
    (void)arg;
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    return NULL;
}

static void *waker(void *arg)
{
    (void)arg;
    syscall(SYS_futex, &word, FUTEX_WAKE, 2, NULL, NULL, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE, 3, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, waiter, NULL);
    pthread_create(&t, NULL, waker, NULL);
    pthread_exit(NULL);
}
