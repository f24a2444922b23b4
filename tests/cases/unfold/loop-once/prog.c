/* The first round of a loop that waits turns out to be none when it is tried: nothing else need be run
 * for that. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *wait(void *arg)
{
    while (!x)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    x = 1;
    return 0;
}
