/* A loop that waits, with a bounded one inside of it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, x;

static void *setter(void *arg)
{
    x = 1;
    stop = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    pthread_create(&t, NULL, setter, NULL);
    while (!stop && sum < 100) {
        sum = 0;
        for (int i = 0; i < 3; i++)
            sum += x;
    }
    pthread_join(t, NULL);
    return 0;
}
