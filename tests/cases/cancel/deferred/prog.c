/* Deferred cancellation at a condition wait: the cleanup handler gives the mutex back. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cleaned, outer;

static void give_back(void *arg)
{
    cleaned++;
    pthread_mutex_unlock(&m);
}

static void note(void *arg)
{
    outer++;
}

static void *work(void *arg)
{
    pthread_cleanup_push(note, NULL);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give_back, NULL);
    for (;;)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &r);
    assert(r == PTHREAD_CANCELED && outer == 1 && cleaned == 1);
    assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}
