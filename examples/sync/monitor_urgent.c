/* A monitor with signal and urgent wait: the signalled thread goes on at once and finds what it was
 * promised, so it need not look again. A cup is filled and emptied in turns; if nobody waits for it, the
 * filler does not signal. */
#include <raddle/sync.h>

#include <assert.h>
#include <stddef.h>

static raddle_monitor table = RADDLE_MONITOR(RADDLE_SIGNAL_AND_URGENT_WAIT);
static raddle_condition filled = RADDLE_CONDITION(&table), emptied = RADDLE_CONDITION(&table);
static int full;

static void *drinker(void *arg)
{
    raddle_monitor_enter(&table);
    if (!full)
        raddle_condition_wait(&filled);
    assert(full);
    full = 0;
    raddle_condition_signal(&emptied);
    raddle_monitor_leave(&table);
    return NULL;
}

static void *filler(void *arg)
{
    raddle_monitor_enter(&table);
    if (full)
        raddle_condition_wait(&emptied);
    assert(!full);
    full = 1;
    if (!raddle_condition_empty(&filled)) {
        raddle_condition_signal(&filled);
        assert(!full); /* the drinker has drunk it meanwhile */
    }
    raddle_monitor_leave(&table);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i % 2 ? filler : drinker, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!full);
    return 0;
}
