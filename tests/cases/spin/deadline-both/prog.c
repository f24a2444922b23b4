// Two threads meet, and each gives up after a while: at most one does.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int here[2];

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *meet(void *arg)
{
    long me = (long)arg, since = milliseconds();
    here[me] = 1;
    while (!here[1 - me]) {
        if (milliseconds() - since > 100)
            return (void *)1;
        sched_yield();
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    void *gave_up[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, meet, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &gave_up[i]);
    assert(!gave_up[0] || !gave_up[1]);
    return 0;
}
