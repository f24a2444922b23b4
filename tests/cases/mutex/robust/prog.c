/* A thread ends holding a robust mutex: the next one is told, repairs it, goes on. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *work(void *arg)
{
    if (pthread_mutex_lock(&m) == EOWNERDEAD)
        pthread_mutex_consistent(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD);
    pthread_mutex_unlock(&m); /* not repaired */
    assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    return 0;
}
