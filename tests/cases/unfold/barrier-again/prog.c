/* A barrier for two that four arrivals come to: who of three opens it first. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int of_main, of_one;

static void *one(void *arg)
{
    of_one = pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    return NULL;
}

static void *two(void *arg)
{
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    of_main = pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(of_main == 0 || of_one != 0);
    return 0;
}
