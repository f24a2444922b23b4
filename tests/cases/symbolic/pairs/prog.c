/* Pairs of the thesis (table 8.1: 4,096 with an execution per trace): four pairs of threads,
 * each pair with a variable of its own that one reads and the other writes, and each thread
 * branches on an input. 8 to the power of 4. With -DCHOOSE the inputs are choices. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

#ifdef CHOOSE
#define INPUT() raddle_choose(2)
#else
#define INPUT() raddle_input_int("in", 0, 1000)
#endif
#ifndef PAIRS
#define PAIRS 4
#endif

static atomic_int x[PAIRS];
static int sum[2 * PAIRS];

static void *reader(void *arg)
{
    int k = (int)(long)arg, in = INPUT(), seen = x[k];
    if (in > 0)
        sum[k] = seen;
    return NULL;
}

static void *writer(void *arg)
{
    int k = (int)(long)arg, in = INPUT();
    x[k] = 1;
    if (in > 0)
        sum[PAIRS + k]++;
    return NULL;
}

int main(void)
{
    pthread_t t[2 * PAIRS];
    for (long k = 0; k < PAIRS; k++) {
        pthread_create(&t[2 * k], NULL, reader, (void *)k);
        pthread_create(&t[2 * k + 1], NULL, writer, (void *)k);
    }
    for (int k = 0; k < 2 * PAIRS; k++)
        pthread_join(t[k], NULL);
    return 0;
}
