#include <assert.h>
#include <threads.h>
#include <time.h>

/* timespec_get tells the time that passes in the execution: what a sleep takes, and nothing else. */
static int sleeps(void *arg)
{
    struct timespec before, after;
    assert(timespec_get(&before, TIME_UTC) == TIME_UTC);
    thrd_sleep(&(struct timespec){.tv_sec = 3600}, NULL);
    assert(timespec_get(&after, TIME_UTC) == TIME_UTC);
    assert(after.tv_sec - before.tv_sec >= 3600);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, sleeps, NULL);
    thrd_join(t, NULL);
    return 0;
}
