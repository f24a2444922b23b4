/* A request to cancel reaches a thread that waits in a loop without a cancellation point: it goes on
 * waiting, and the search has to end. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, out;
static pthread_t t, u;

static void cleanup(void *arg)
{
    out = 2;
}

static void *waits(void *arg)
{
    pthread_cleanup_push(cleanup, NULL);
    while (!go)
        ;
    while (!go)
        ;
    pthread_cleanup_pop(1);
    return NULL;
}

static void *cancels(void *arg)
{
    pthread_cleanup_push(cleanup, NULL);
    pthread_cancel(t);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, cancels, NULL);
    pthread_cancel(u);
    atomic_fetch_sub(&go, 3);
    pthread_join(u, NULL);
    pthread_join(t, NULL);
    return 0;
}
