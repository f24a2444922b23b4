/* A robust mutex whose owner has ended: taking it says so once, taking it again (it is recursive) does not.
 * One that is not held is not unlocked: EPERM, whatever its type. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive, normal;

static void make(pthread_mutex_t *m, int type)
{
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, type);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(m, &how);
}

static void *end_with_it(void *unused)
{
    pthread_mutex_lock(&recursive);
    return unused;
}

static void *other(void *unused)
{
    int first = pthread_mutex_lock(&recursive);
    assert(first == 0 || first == EOWNERDEAD);
    assert(pthread_mutex_lock(&recursive) == 0);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_consistent(&recursive);
    pthread_mutex_unlock(&recursive);
    assert(pthread_mutex_unlock(&normal) == EPERM);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    make(&recursive, PTHREAD_MUTEX_RECURSIVE);
    make(&normal, PTHREAD_MUTEX_NORMAL);
    pthread_create(&a, NULL, end_with_it, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
