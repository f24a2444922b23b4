/* A monitor with signal and continue: whoever was woken enters again and must look again. A gate lets
 * nobody through until it is opened, and then everybody. */
#include <raddle/sync.h>

#include <assert.h>
#include <stddef.h>

static raddle_monitor gate = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
static raddle_condition opened = RADDLE_CONDITION(&gate), all_through = RADDLE_CONDITION(&gate);
static int open_now, through;

static void *walker(void *arg)
{
    raddle_monitor_enter(&gate);
    while (!open_now)
        raddle_condition_wait(&opened);
    if (++through == 2)
        raddle_condition_signal(&all_through);
    raddle_monitor_leave(&gate);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, walker, NULL);
    raddle_monitor_enter(&gate);
    open_now = 1;
    raddle_condition_broadcast(&opened);
    assert(raddle_condition_empty(&opened));
    while (through < 2)
        raddle_condition_wait(&all_through);
    raddle_monitor_leave(&gate);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
