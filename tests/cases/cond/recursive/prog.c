/* A wait gives a recursive mutex back altogether, and then holds it as often as before. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, inside;

static void *wait_deep(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    inside = 1;
    while (!ready)
        pthread_cond_wait(&c, &m);
    inside = 2;
    assert(pthread_mutex_unlock(&m) == 0);
    inside = 3;
    assert(pthread_mutex_unlock(&m) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, wait_deep, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(inside != 2);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
