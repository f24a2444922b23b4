/* A timed wait that is asked to end and signalled by two threads. dfs finds 40 traces; none may be
 * missing. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int v;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *waits(void *a)
{
    static const struct timespec late = {2000000000, 0};
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    atomic_fetch_add(&v, 1);
    pthread_cond_timedwait(&c, &m, &late);
    pthread_cleanup_pop(1);
    return a;
}

static void *signals(void *a)
{
    pthread_cond_signal(&c);
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, signals, 0);
    pthread_cancel(t[0]);
    pthread_cond_signal(&c);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
