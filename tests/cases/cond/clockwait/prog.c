/* A condition waited for with a limit by the clock named in the call or in the attributes. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_condattr_t a;
    struct timespec limit, now;
    int got = 0;
    pthread_condattr_init(&a);
    assert(pthread_condattr_setclock(&a, CLOCK_MONOTONIC) == 0);
    pthread_cond_init(&c, &a);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec++;
    while (!ready && got == 0)
        got = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &limit);
    if (got) {
        assert(got == ETIMEDOUT);
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert(now.tv_sec >= limit.tv_sec);
    }
    limit.tv_sec++;
    for (got = 0; !ready && got == 0;)
        got = pthread_cond_timedwait(&c, &m, &limit);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(ready);
    return 0;
}
