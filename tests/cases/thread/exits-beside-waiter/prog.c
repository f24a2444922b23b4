/* One waits for a signal when the process ends, and the mutex that it would take then is held by
 * one that has ended: it is not what it waits for. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;

static void *wait(void *arg)
{
    pthread_mutex_lock(&m);
    waits = 1;
    pthread_cond_wait(&c, &m);
    return arg;
}

static void *keep(void *arg)
{
    pthread_mutex_lock(&m);
    if (!waits)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_create(&t, NULL, keep, NULL);
    exit(0);
}
