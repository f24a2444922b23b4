/* A timer that calls a function in a thread: before or after what main does, or never. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fired;

static void fire(union sigval v)
{
    pthread_mutex_lock(&m);
    fired += v.sival_int;
    pthread_mutex_unlock(&m);
}

int main(void)
{
    timer_t t;
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 2};
    struct itimerspec when = {.it_value = {.tv_nsec = 1000}}, left;
    e.sigev_notify_function = fire;
    assert(timer_create(CLOCK_MONOTONIC, &e, &t) == 0);
    assert(timer_gettime(t, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
    assert(timer_settime(t, 0, &when, NULL) == 0);
    assert(timer_gettime(t, &left) == 0 && timer_getoverrun(t) == 0);
    memset(&when, 0, sizeof when);
    assert(timer_settime(t, 0, &when, &left) == 0);
    pthread_mutex_lock(&m);
    assert(fired == 0 || fired == 2);
    pthread_mutex_unlock(&m);
    assert(timer_delete(t) == 0);
    assert(timer_delete(t) == -1 && errno == EINVAL);
    return 0;
}
