#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

/* After a timeout the clock has reached the moment that was waited for. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int ready;

static struct timespec in_a_second(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec++;
    return t;
}

static void check_reached(const struct timespec *until)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    assert(t.tv_sec > until->tv_sec ||
           (t.tv_sec == until->tv_sec && t.tv_nsec >= until->tv_nsec));
}

static void *waiter(void *arg)
{
    struct timespec until = in_a_second();
    int status = 0;
    pthread_mutex_lock(&lock);
    while (!ready && status == 0)
        status = pthread_cond_timedwait(&cond, &lock, &until);
    pthread_mutex_unlock(&lock);
    if (status == ETIMEDOUT)
        check_reached(&until);
    until = in_a_second();
    if (pthread_mutex_timedlock(&lock, &until) == 0)
        pthread_mutex_unlock(&lock);
    else
        check_reached(&until);
    until = in_a_second();
    if (sem_timedwait(&sem, &until))
        check_reached(&until);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    sem_post(&sem);
    pthread_join(t, NULL);
    return 0;
}
