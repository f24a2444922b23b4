/* A thread whose assumption fails has nothing before it: the others' local states are still all known. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v;
static int x;

static void *assumes(void *unused)
{
    if (x > 4)
        raddle_assume(x < 0);
    atomic_fetch_add(&v, 1);
    return unused;
}

static void *stores(void *unused)
{
    atomic_store(&v, 5);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    x = raddle_input_int("x", 0, 7);
    pthread_create(&t[0], NULL, assumes, NULL);
    pthread_create(&t[1], NULL, stores, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    raddle_assert(v == 5 || v == 6);
    return 0;
}
