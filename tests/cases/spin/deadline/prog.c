// A loop that waits until a variable changes or the time is up: giving up is found, and the search ends.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    return arg;
}

static bool is_ready(void)
{
    pthread_mutex_lock(&lock);
    bool is = ready;
    pthread_mutex_unlock(&lock);
    return is;
}

static bool wait_until_ready(time_t seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t end = now.tv_sec + seconds;
    while (!is_ready()) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec >= end)
            return false;
    }
    return true;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    bool in_time = wait_until_ready(60);
    pthread_join(t, 0);
    assert(in_time); // GAVE
    return 0;
}
