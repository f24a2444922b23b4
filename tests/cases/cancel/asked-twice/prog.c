/* A broadcast against two requests to cancel the waiter: the second changes nothing that the first did not.
 * dfs finds 69 traces; none may be missing, none be repeated. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *wakes(void *a)
{
    pthread_cond_broadcast(&c);
    return a;
}

static void *waits(void *a)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, wakes, 0);
    pthread_create(&t[1], 0, waits, 0);
    pthread_cancel(t[1]);
    pthread_cancel(t[1]);
    pthread_exit(0);
}
