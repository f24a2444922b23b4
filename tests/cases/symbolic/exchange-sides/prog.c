/* A compare-exchange whose success depends on inputs: its other side, with what another thread does only for
 * some of them. One pair of inputs of 64 fails. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v, w;
static int x, y;

static void *adds(void *unused)
{
    static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    if (y <= table[y & 7])
        atomic_fetch_add(&v, x);
    atomic_store(&w, y);
    return NULL;
}

static void *exchanges(void *unused)
{
    int expected = x - y;
    atomic_compare_exchange_strong(&v, &expected, -3);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    x = raddle_input_int("x", -1, 6);
    y = raddle_input_int("y", 0, 7);
    pthread_create(&t, NULL, adds, NULL);
    pthread_create(&u, NULL, exchanges, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    if (v & 1)
        if (w & 1)
            raddle_assert(!(w & 2)); /* BUG */
    return 0;
}
