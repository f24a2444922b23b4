/* Somebody may see what a round has changed for a while, several times: each of that is a behaviour. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside, stop;
static int seen;

static void *goes_round(void *arg)
{
    while (!stop) {
        atomic_fetch_add(&inside, 1);
        atomic_fetch_sub(&inside, 1);
    }
    return arg;
}

static void *looks(void *arg)
{
    int a = inside, b = inside, c = inside;
    seen = 4 * a + 2 * b + c;
    stop = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, goes_round, NULL);
    pthread_create(&t[1], NULL, looks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(seen != 5); /* 1, 0, 1: three rounds of which two were seen */
    return 0;
}
