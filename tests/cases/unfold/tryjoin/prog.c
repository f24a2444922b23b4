/* Whether a thread has ended is an operation on it: what main does depends on it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    last = arg != NULL;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &s);
    int first = pthread_tryjoin_np(a, NULL) == 0;
    pthread_join(b, NULL);
    if (!first && pthread_tryjoin_np(a, NULL) != 0)
        pthread_join(a, NULL);
    assert(!first || last);
    return 0;
}
