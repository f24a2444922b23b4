/* A thread that waits for a token which comes, and then is asked to end: that can be at any time, also before
 * it is asked, although it was asked first. dfs finds 10 traces. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static atomic_int v;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *takes(void *a)
{
    sem_wait(&s);
    return a;
}

static void *posts(void *a)
{
    sem_post(&s);
    atomic_fetch_add(&v, 1);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 0);
    pthread_create(&t[0], 0, takes, 0);
    pthread_create(&t[1], 0, posts, 0);
    pthread_cancel(t[0]);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t[1], 0);
    pthread_exit(0);
}
