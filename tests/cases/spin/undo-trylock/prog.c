/* The round reads data before x is put back, which is ordered before the one that locks then; that the other
 * one finds it locked orders nothing: a race, which needs a whole round before y is set. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, stop;
static int data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *goes_round(void *arg)
{
    while (!stop) {
        atomic_fetch_add(&x, 1);
        if (y == 0 && data == 5)
            return arg;
        atomic_fetch_sub(&x, 1);
    }
    return arg;
}

static void *locks(void *arg)
{
    y = 1;
    if (x == 0)
        pthread_mutex_trylock(&m);
    return arg;
}

static void *tries(void *arg)
{
    if (pthread_mutex_trylock(&m))
        data = 1;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, goes_round, NULL);
    pthread_create(&t[1], NULL, locks, NULL);
    pthread_create(&t[2], NULL, tries, NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    stop = 1;
    pthread_join(t[0], NULL);
    return 0;
}
