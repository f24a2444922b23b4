/* What the rounds of a waiting loop read is freed: the next round uses it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *data;
static atomic_int y, other;

static void *waits(void *arg)
{
    while (!y)
        if (*data == 5)
            break;
    return arg;
}

static void *ends(void *arg)
{
    other = 1;
    free(data);
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    data = calloc(1, sizeof *data);
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, ends, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
