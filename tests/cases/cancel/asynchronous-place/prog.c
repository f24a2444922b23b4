/* A request to cancel takes the place of the addition; without it that comes, before or after the
 * other thread's. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int shared;
static int seen;

static void cleanup(void *unused)
{
    shared = 2;
}

static void *changes(void *unused)
{
    usleep(1);
    seen = atomic_fetch_or(&shared, 3);
    return NULL;
}

static void *cancelled(void *unused)
{
    pthread_cleanup_push(cleanup, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_fetch_add(&shared, 1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    void *result;
    pthread_create(&one, NULL, changes, NULL);
    pthread_create(&two, NULL, cancelled, NULL);
    pthread_cancel(two);
    pthread_join(two, &result);
    pthread_join(one, NULL);
    assert(result == PTHREAD_CANCELED || seen != 0); /* WRONG */
    return 0;
}
