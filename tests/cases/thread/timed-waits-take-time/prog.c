/* When a timed wait has timed out, its time has come: also for timed joins, mtx_timedlock and
 * sigtimedwait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;

static void *tries(void *arg)
{
    struct timespec limit, now;
    timespec_get(&limit, TIME_UTC);
    limit.tv_sec += 5;
    if (mtx_timedlock(&mutex, &limit) == thrd_success) {
        mtx_unlock(&mutex);
        return 0;
    }
    timespec_get(&now, TIME_UTC);
    assert(now.tv_sec >= limit.tv_sec);
    return 0;
}

int main(void)
{
    struct timespec limit, now, start;
    pthread_t t;
    mtx_init(&mutex, mtx_timed);
    mtx_lock(&mutex);
    pthread_create(&t, 0, tries, 0);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3;
    if (pthread_timedjoin_np(t, 0, &limit) == ETIMEDOUT) {
        clock_gettime(CLOCK_REALTIME, &now);
        assert(now.tv_sec >= limit.tv_sec);
        pthread_join(t, 0);
    }
    mtx_unlock(&mutex);

    sigset_t none;
    sigemptyset(&none);
    clock_gettime(CLOCK_MONOTONIC, &start);
    assert(sigtimedwait(&none, 0, &(struct timespec){2, 0}) == -1 && errno == EAGAIN);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= start.tv_sec + 2);
    return 0;
}
