/* One waits for a value that does not come, until it is cancelled; the other is cancelled or sees it.
 * Neither is stuck although it may put off its end. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int never; /* as far as compilers know, somebody changes it */
static atomic_int flag, cleaned, left;

static void cleanup(void *unused)
{
    cleaned = 1;
}

static void *waits(void *unused)
{
    pthread_cleanup_push(cleanup, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!never)
        ;
    pthread_cleanup_pop(0);
    return unused;
}

static void *sees(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!flag)
        ;
    left = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    void *result;
    pthread_create(&one, NULL, waits, NULL);
    pthread_cancel(one);
    while (!cleaned)
        sched_yield();
    pthread_join(one, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_create(&two, NULL, sees, NULL);
    pthread_cancel(two);
    flag = 1;
    pthread_join(two, &result);
    assert(result == PTHREAD_CANCELED || left);
    return 0;
}
