/* Cancelled between two plain writes that nobody looks at before the thread has ended. */
#include <assert.h>
#include <pthread.h>

static int first, second;

static void *work(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    first = 1;
    second = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(first == second); /* WRONG */
    return 0;
}
