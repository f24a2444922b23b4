/* A loop with a bound that reads the same again and again, then one that waits. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *setter(void *arg)
{
    y = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int sum = 0;
    x = argc - 1;
    pthread_create(&t, NULL, setter, NULL);
    for (int i = 0; i < 3; i++)
        sum += x;
    while (!y)
        ;
    pthread_join(t, NULL);
    return sum;
}
