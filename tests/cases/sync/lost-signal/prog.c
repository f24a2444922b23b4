/* Signal and continue with `if` instead of `while`: another thread may take what was signalled. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
static raddle_condition not_empty = RADDLE_CONDITION(&m);
static int items;

static void *consumer(void *arg)
{
    raddle_monitor_enter(&m);
    if (items == 0)
        raddle_condition_wait(&not_empty);
    assert(items > 0); /* BUG */
    items--;
    raddle_monitor_leave(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, consumer, NULL);
    for (int i = 0; i < 2; i++) {
        raddle_monitor_enter(&m);
        items++;
        raddle_condition_signal(&not_empty);
        raddle_monitor_leave(&m);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
