/* One waits in a monitor and keeps a lock that the one who would signal needs. */
#include <pthread.h>
#include <raddle/sync.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
static raddle_condition full = RADDLE_CONDITION(&m);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    raddle_monitor_enter(&m);
    if (!items)
        raddle_condition_wait(&full);
    raddle_monitor_leave(&m);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *put(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    raddle_monitor_enter(&m);
    items++;
    raddle_condition_signal(&full);
    raddle_monitor_leave(&m);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, take, NULL);
    pthread_create(&u, NULL, put, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
