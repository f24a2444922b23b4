/* A thread ends holding a robust mutex twice: all of it is given back at once. */
#include <errno.h>
#include <pthread.h>
#include <raddle.h>
#include <time.h>

static pthread_mutex_t m;

static void *end_with_it(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t how;
    struct timespec soon = {.tv_sec = 1};
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &how);
    pthread_create(&t, NULL, end_with_it, NULL);
    int status = pthread_mutex_timedlock(&m, &soon);
    raddle_assert(status != EOWNERDEAD); // BUG
    if (status == 0)
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
