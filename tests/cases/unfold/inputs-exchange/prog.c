/* A compare-exchange that fails whatever the inputs only looks, which is not foreseen where values may
 * depend on inputs; in another one they decide. What was foreseen is no event that was not performed. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v, w;
static int in;

static void *exchanges(void *unused)
{
    int expected = -6;
    if (in > 3)
        atomic_compare_exchange_strong(&v, &expected, 1);
    expected = in;
    atomic_compare_exchange_strong(&w, &expected, 2);
    return unused;
}

static void *looks(void *unused)
{
    atomic_load(&v);
    if (6 - in == in)
        atomic_fetch_add(&w, 7);
    atomic_load(&v);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    in = raddle_input_int("in", 0, 9);
    pthread_create(&a, NULL, exchanges, NULL);
    pthread_create(&b, NULL, looks, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
