/* Limits that are no times and clocks that limit no waits: EINVAL. A mutex that is free is locked
 * all the same. */
#include <assert.h>
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static const struct timespec wrong = {5, 1000000000}, right = {5, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

static void *when_locked(void *arg)
{
    assert(pthread_mutex_timedlock(&mutex, &wrong) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &right) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &right) == ETIMEDOUT);
    return 0;
}

static void when_free(void)
{
    assert(pthread_mutex_timedlock(&mutex, &wrong) == 0);
    assert(pthread_cond_timedwait(&cond, &mutex, &wrong) == EINVAL);
    assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &right) == EINVAL);
    pthread_mutex_unlock(&mutex);
    assert(pthread_rwlock_timedrdlock(&lock, &wrong) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &right) == EINVAL);
    assert(sem_timedwait(&sem, &wrong) == -1 && errno == EINVAL);
    assert(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &right) == -1 && errno == EINVAL);
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 1);
    when_free();
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, when_locked, 0);
    assert(pthread_clockjoin_np(t, 0, CLOCK_PROCESS_CPUTIME_ID, &right) == EINVAL);
    pthread_join(t, 0);
    pthread_mutex_unlock(&mutex);

    mqd_t q = mq_open("/limits", O_CREAT | O_RDWR, 0600, 0);
    assert(mq_timedsend(q, "x", 1, 0, &wrong) == -1 && errno == EINVAL);
    mq_close(q);
    mq_unlink("/limits");
    sigset_t none;
    sigemptyset(&none);
    assert(sigtimedwait(&none, 0, &wrong) == -1 && errno == EINVAL);
    return 0;
}
