/* A thread with something to do every second, until it is told to stop: the time that its waits take
 * must not keep the others waiting for ever. */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop, ticks;

static void *timer(void *arg)
{
    struct timespec next;
    pthread_mutex_lock(&m);
    clock_gettime(CLOCK_REALTIME, &next);
    while (!stop) {
        next.tv_sec++;
        if (pthread_cond_timedwait(&changed, &m, &next) == ETIMEDOUT)
            ticks++;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, timer, NULL);
    sleep(3);
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return pthread_join(t, NULL);
}
