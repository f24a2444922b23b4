/* Three threads want one token; the one that waits for it without a limit gets it first, and the one that
 * waits on the condition is cancelled. dfs finds 8 traces; in four of them, which were missing, everybody
 * comes to an end. */
#include <assert.h>
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

static void *waits(void *a)
{
    sem_trywait(&s);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    atomic_fetch_add(&v, 1);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
}

static void *takes(void *a)
{
    sem_wait(&s);
    return a;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 1);
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, takes, 0);
    sem_trywait(&s);
    pthread_cancel(t[0]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(0); /* BUG */
}
