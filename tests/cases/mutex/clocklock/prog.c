/* Locking with a limit by any clock: taken in time or not. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *arg)
{
    struct timespec t;
    clockid_t clock = arg ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    clock_gettime(clock, &t);
    t.tv_sec++;
    int got = pthread_mutex_clocklock(&m, clock, &t);
    assert(got == 0 || got == ETIMEDOUT);
    if (got)
        return NULL;
    x++;
    pthread_mutex_unlock(&m);
    return &x;
}

int main(void)
{
    pthread_t a, b;
    void *r, *s;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &b);
    pthread_join(a, &r);
    pthread_join(b, &s);
    assert(x == (r != NULL) + (s != NULL) && x >= 1);
    return 0;
}
