#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    struct timespec until = {0, 0};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    int status = pthread_mutex_timedlock(&m, &until);
    assert(status == 0); /* BUG */
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
