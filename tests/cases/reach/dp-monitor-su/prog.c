/* Dining philosophers without deadlock or starvation, a monitor with signal and urgent wait. The number
 * of philosophers is the argument. */
#include <assert.h>
#include <raddle/sync.h>
#include <stdlib.h>

enum state { THINKING, HUNGRY, STARVING, EATING };

static raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_URGENT_WAIT);
static raddle_condition self[8];
static enum state state[8];
static int n = 3;

static void test(int k)
{
    enum state left = state[(k + n - 1) % n], right = state[(k + 1) % n];
    if (state[k] == HUNGRY && left != EATING && right != EATING && left != STARVING &&
        right != STARVING) {
        state[k] = EATING;
        raddle_condition_signal(&self[k]);
    } else if (state[k] == STARVING && left != EATING && right != EATING) {
        state[k] = EATING;
        raddle_condition_signal(&self[k]);
    } else if (state[k] == HUNGRY && left != STARVING && right != STARVING) {
        state[k] = STARVING;
    }
}

static void *philosopher(void *arg)
{
    int i = (int)(long)arg;
    raddle_monitor_enter(&m);
    state[i] = HUNGRY;
    test(i);
    if (state[i] != EATING)
        raddle_condition_wait(&self[i]);
    assert(state[(i + 1) % n] != EATING && state[(i + n - 1) % n] != EATING);
    raddle_monitor_leave(&m);

    raddle_monitor_enter(&m);
    state[i] = THINKING;
    test((i + n - 1) % n);
    test((i + 1) % n);
    raddle_monitor_leave(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[8];
    if (argc > 1)
        n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        raddle_condition_init(&self[i], &m);
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
