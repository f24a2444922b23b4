/* A request that a thread in a waiting loop does not see, as the loop has no cancellation point, does not
 * change how it waits. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static int seen;
static pthread_t one, two;

static void *waits(void *unused)
{
    while (value != 2)
        ;
    value = 1;
    return unused;
}

static void *changes(void *unused)
{
    seen = atomic_fetch_or(&value, 4);
    if (seen == 2)
        value = 2;
    pthread_cancel(one);
    return unused;
}

int main(void)
{
    pthread_create(&one, NULL, waits, NULL);
    pthread_create(&two, NULL, changes, NULL);
    pthread_cancel(two);
    value = 2;
    pthread_join(two, NULL);
    pthread_join(one, NULL);
    assert(seen != 1); /* WRONG */
    return 0;
}
