/* The timer may fire before the program expects it, and may not have fired when it ends. */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int state;

static void fire(union sigval v)
{
    assert(atomic_load(&state) == 1); /* BUG */
}

int main(void)
{
    timer_t t;
    struct sigevent e = {.sigev_notify = SIGEV_THREAD};
    struct itimerspec when = {.it_value = {.tv_sec = 10}};
    e.sigev_notify_function = fire;
    timer_create(CLOCK_MONOTONIC, &e, &t);
    timer_settime(t, 0, &when, NULL);
    atomic_store(&state, 1);
    return 0;
}
