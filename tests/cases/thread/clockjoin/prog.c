/* Joining with a limit by any clock: in time or not; afterwards at the latest. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t a, b;
    void *r = NULL;
    struct timespec t;
    pthread_create(&a, NULL, work, &a);
    pthread_create(&b, NULL, work, &b);
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec++;
    int got = pthread_clockjoin_np(a, &r, CLOCK_MONOTONIC, &t);
    assert(got == 0 ? r == &a : got == ETIMEDOUT);
    if (got)
        assert(pthread_join(a, &r) == 0 && r == &a);
    clock_gettime(CLOCK_REALTIME, &t);
    got = pthread_timedjoin_np(b, &r, &t);
    assert(got == 0 ? r == &b : got == ETIMEDOUT);
    if (got)
        assert(pthread_join(b, &r) == 0);
    assert(r == &b);
    return 0;
}
