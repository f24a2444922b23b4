/* Who waits in a monitor for ever has done something else just before: the deadlock is where it waits. */
#include <raddle/sync.h>
#include <stdatomic.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
static raddle_condition c = RADDLE_CONDITION(&m);
static atomic_int seen;

static void *signals(void *unused)
{
    seen = 1;
    raddle_monitor_enter(&m);
    raddle_condition_signal(&c);
    raddle_monitor_leave(&m);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int before;
    pthread_create(&thread, NULL, signals, NULL);
    raddle_monitor_enter(&m);
    before = seen;
    if (before < 2)
        raddle_condition_wait(&c); /* WRONG */
    raddle_monitor_leave(&m);
    pthread_join(thread, NULL);
    return 0;
}
