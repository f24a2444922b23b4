/* More reads in one round of the loop than a handful. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[40];

static void *setter(void *arg)
{
    x[0] = 1;
    x[39] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum;
    pthread_create(&t, NULL, setter, NULL);
    do {
        sum = 0;
        for (int i = 0; i < 40; i++)
            sum += x[i];
    } while (sum != 2);
    pthread_join(t, NULL);
    return 0;
}
