/* A timed wait that ends before its thread is asked to end, and another thread that waits on the
 * same condition meanwhile: dfs finds 91 traces; none may be missing. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t t[2];
static atomic_int v;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *tries(void *a)
{
    if (!pthread_mutex_trylock(&m))
        pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    atomic_fetch_add(&v, 1);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
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

int main(void)
{
    pthread_create(&t[0], 0, tries, 0);
    pthread_create(&t[1], 0, waits, 0);
    pthread_cancel(t[1]);
    atomic_load(&v);
    pthread_exit(0);
}
