// When a wait for a reader-writer lock has ended by its time limit, that time has come.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *waits(void *arg)
{
    struct timespec until, now;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    int status = arg ? pthread_rwlock_timedwrlock(&rw, &until) : pthread_rwlock_timedrdlock(&rw, &until);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(status == 0 || status == ETIMEDOUT);
    assert(status == 0 || now.tv_sec >= until.tv_sec);
    if (!status)
        pthread_rwlock_unlock(&rw);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_rwlock_wrlock(&rw);
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, waits, &rw);
    pthread_rwlock_unlock(&rw);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
