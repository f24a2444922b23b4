/* A thread that waits on a condition finds, when it has the robust mutex again, that its owner
 * has ended: EOWNERDEAD. If the next one waits without making it consistent, nobody gets it any
 * more. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go, status;

static void *ends_holding(void *arg)
{
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_broadcast(&cond);
    return 0;
}

static void *spoils(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    assert(pthread_cond_timedwait(&cond, &mutex, &(struct timespec){0, 0}) == ENOTRECOVERABLE);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attr);

    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, ends_holding, 0);
    while (!go) {
        status = pthread_cond_wait(&cond, &mutex);
        if (status)
            pthread_mutex_consistent(&mutex);
    }
    assert(status == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);

    assert(pthread_cond_wait(&cond, &mutex) == EPERM);
    pthread_create(&t, 0, ends_holding, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, spoils, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
