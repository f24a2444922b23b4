/* It may go round for ever, and may end: that is chosen. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

atomic_int seen;

static void *choose_on(void *arg)
{
    while (raddle_choose(2))
        atomic_load(&seen);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, choose_on, NULL);
    pthread_join(t, NULL);
}
