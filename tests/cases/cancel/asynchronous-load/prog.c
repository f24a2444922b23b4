/* Cancelled at any time: also just before the first thing it does that others notice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int value;
static int seen = -1;

static void *work(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    seen = atomic_load(&value);
    return unused;
}

static void *end_it(void *thread)
{
    pthread_cancel(*(pthread_t *)thread);
    return NULL;
}

int main(void)
{
    static pthread_t thread, other;
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&other, NULL, end_it, &thread);
    pthread_join(other, NULL);
    pthread_join(thread, NULL);
    assert(seen == 0); /* WRONG */
    return 0;
}
