/* Bounded buffer with 2 slots, a monitor with signal and urgent wait; 3 producers, 3 consumers. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_URGENT_WAIT);
static raddle_condition not_full = RADDLE_CONDITION(&m), not_empty = RADDLE_CONDITION(&m);
static int full;

static void *producer(void *arg)
{
    raddle_symmetric(1);
    raddle_monitor_enter(&m);
    if (full == 2)
        raddle_condition_wait(&not_full);
    full++;
    assert(full <= 2);
    raddle_condition_signal(&not_empty);
    raddle_monitor_leave(&m);
    return NULL;
}

static void *consumer(void *arg)
{
    raddle_symmetric(2);
    raddle_monitor_enter(&m);
    if (full == 0)
        raddle_condition_wait(&not_empty);
    full--;
    assert(full >= 0);
    raddle_condition_signal(&not_full);
    raddle_monitor_leave(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, i < 3 ? producer : consumer, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
