#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <errno.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, timeouts;

static void *first(void *arg)
{
    struct timespec until = {0, 0};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&m);
    if (!ready && pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT)
        timeouts++;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(timeouts <= 1);
    return 0;
}
