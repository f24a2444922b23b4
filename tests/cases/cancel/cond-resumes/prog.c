/* A thread waits on a condition; it is signalled, then cancelled, before it has the mutex again: it may
 * be cancelled, or the wait may return as if nothing had happened. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, ready;

static void give_back(void *arg)
{
    pthread_mutex_unlock(&m);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    waiting = 1;
    pthread_cleanup_push(give_back, NULL);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t a;
    void *result = NULL;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    int inside = waiting;
    ready = 1;
    WAKE(&c);
    pthread_cancel(a);
    pthread_mutex_unlock(&m);
    pthread_join(a, &result);
    if (inside)
        assert((result == PTHREAD_CANCELED) == CANCELLED); /* BUG */
    return 0;
}
