/* One waiter is asked to end, the other, which may have signalled it, is not. dfs finds 17 traces; none may
 * be missing. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int v;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *waits(void *a)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    atomic_fetch_add(&v, 1);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
}

static void *signals(void *a)
{
    pthread_cond_signal(&c);
    return waits(a);
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, signals, 0);
    pthread_cancel(t[0]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
