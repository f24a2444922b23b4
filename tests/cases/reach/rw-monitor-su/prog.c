/* Readers and writers, a monitor with signal and urgent wait; 3 readers, 2 writers. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_URGENT_WAIT);
static raddle_condition may_read = RADDLE_CONDITION(&m), may_write = RADDLE_CONDITION(&m);
static int readers, writing;

static void *reader(void *arg)
{
    raddle_monitor_enter(&m);
    if (writing)
        raddle_condition_wait(&may_read);
    readers++;
    assert(!writing);
    raddle_condition_signal(&may_read);
    raddle_monitor_leave(&m);

    raddle_monitor_enter(&m);
    if (--readers == 0)
        raddle_condition_signal(&may_write);
    raddle_monitor_leave(&m);
    return NULL;
}

static void *writer(void *arg)
{
    raddle_monitor_enter(&m);
    if (readers || writing)
        raddle_condition_wait(&may_write);
    assert(!readers && !writing);
    writing = 1;
    raddle_monitor_leave(&m);

    raddle_monitor_enter(&m);
    writing = 0;
    if (!raddle_condition_empty(&may_read))
        raddle_condition_signal(&may_read);
    else
        raddle_condition_signal(&may_write);
    raddle_monitor_leave(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, i < 3 ? reader : writer, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    return 0;
}
