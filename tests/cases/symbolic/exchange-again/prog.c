/* A compare-exchange that is tried at a value from another thread before it is known that its success
 * depends on inputs, and then goes well: its other side is a state of its own. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v;
static int x, y, z;

static void *adds(void *unused)
{
    atomic_fetch_add(&v, z ^ x);
    return NULL;
}

static void *exchanges(void *unused)
{
    int quiet = 0, expected = 0;
    if (y) {
        if (z)
            atomic_store(&v, 1);
        else
            quiet = 1;
    }
    if (!atomic_compare_exchange_strong(&v, &expected, 8) && quiet)
        raddle_assert(0); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    x = raddle_input_int("x", -4, 3);
    y = raddle_input_int("y", 0, 7);
    z = raddle_input_int("z", 0, 7);
    pthread_create(&t, NULL, adds, NULL);
    pthread_create(&u, NULL, exchanges, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
