/* A polling loop that reads several variables: what it read first changes while it reads the others, so
 * it does not spin for ever although it comes back in the same state. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, w;

static void *poll_both(void *arg)
{
    for (;;) {
        int a = x;
        while (!y)
            ;
        if (a)
            return arg;
        (void)w;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, poll_both, 0);
    y = 1;
    x = 1;
    pthread_join(t, 0);
    return 0;
}
