/* Until when a thread waits for a lock is written by another without order. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct timespec until = {1, 0};

static void *waits(void *arg)
{
    if (!pthread_mutex_timedlock(&m, &until)) /* BUG */
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, waits, NULL);
    until.tv_sec++;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
