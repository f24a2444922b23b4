/* A request to cancel at any time need not be acted on at once: the thread may see what comes after it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int after;
static int seen;

static void *work(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    int found = atomic_load(&after);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    seen = found;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    atomic_store(&after, 1);
    pthread_join(thread, NULL);
    assert(!seen); /* WRONG */
    return 0;
}
