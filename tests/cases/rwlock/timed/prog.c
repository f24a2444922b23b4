/* Read and write locks with a limit, by both clocks. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *arg)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int got = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &t);
    if (got == 0) {
        x = 1;
        pthread_rwlock_unlock(&l);
    }
    assert(got == 0 || got == ETIMEDOUT);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec now;
    pthread_create(&t, NULL, writer, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    int got = pthread_rwlock_timedrdlock(&l, &now);
    if (got == 0) {
        assert(x == 0 || x == 1);
        pthread_rwlock_unlock(&l);
    }
    assert(got == 0 || got == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now) == 0)
        pthread_rwlock_unlock(&l);
    clock_gettime(CLOCK_REALTIME, &now);
    if (pthread_rwlock_timedwrlock(&l, &now) == 0)
        pthread_rwlock_unlock(&l);
    pthread_join(t, NULL);
    return 0;
}
