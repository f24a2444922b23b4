/* Yields until the other is done and counts how often: unfair schedules would go on for ever, so
 * there is no complete search. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int done, polls;

static void *worker(void *arg)
{
    atomic_fetch_add(&done, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!atomic_load(&done)) {
        atomic_fetch_add(&polls, 1); /* a change: not a loop that is seen to go round in circles */
        sched_yield();
    }
    pthread_join(t, 0);
    return 0;
}
