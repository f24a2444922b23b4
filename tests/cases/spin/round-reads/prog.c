/* Rounds that lead back read data when somebody writes it, without changing it: a race, though no value
 * shows it, and whoever waits for y sees that y is set. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, other;
static int data;

static void *waits(void *arg)
{
    while (!y)
        if (data == 5)
            break;
    return arg;
}

static void *sets(void *arg)
{
    other = 1;
    data = 0;
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, sets, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
