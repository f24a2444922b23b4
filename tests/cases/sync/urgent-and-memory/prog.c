/* A monitor is left, and handed over, without a decision: what a thread did inside comes before
 * whatever the next one does there. */
#include <pthread.h>
#include <raddle/sync.h>
#include <stdatomic.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_URGENT_WAIT);
static raddle_condition c[2] = {RADDLE_CONDITION(&m), RADDLE_CONDITION(&m)};
static atomic_int x, y;

static void *stores(void *unused)
{
    x = 1;
    return unused;
}

static void *loads_and_resets(void *unused)
{
    (void)*&x;
    x = 0;
    return unused;
}

static void *signals(void *unused)
{
    raddle_monitor_enter(&m);
    (void)*&y;
    raddle_condition_signal(&c[1]);
    x = 2;
    raddle_monitor_leave(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, stores, NULL);
    pthread_create(&t[1], NULL, loads_and_resets, NULL);
    pthread_create(&t[2], NULL, signals, NULL);
    for (int i = 1; i >= 0; i--) {
        raddle_monitor_enter(&m);
        if (!x)
            raddle_condition_wait(&c[i]);
        raddle_monitor_leave(&m);
    }
    return 0;
}
