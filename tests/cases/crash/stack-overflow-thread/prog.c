/* The stack of a thread has an end, too, and what lies below is another one's. */
#include <pthread.h>
#include <stddef.h>

static int down(volatile int *n)
{
    volatile int here = *n + 1;
    return down(&here) + here;
}

static void *work(void *arg)
{
    int start = arg != NULL;
    return down(&start) ? arg : NULL;
}

static void *other(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, other, NULL);
    pthread_create(&t[1], NULL, work, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
