/* Cancelled between two plain writes, or before, or after: never with the second one only. */
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
    assert(first >= second);
    return 0;
}
