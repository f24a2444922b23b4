#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v;
static int x;

static void *writer(void *unused)
{
    if (x)
        atomic_store(&v, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    int sum;
    x = raddle_input_int("x", 0, 1);
    pthread_create(&t, NULL, writer, NULL);
    sum = atomic_load(&v) + x;
    if (sum > 0)
        raddle_assert(sum != 2); // BUG
    pthread_join(t, NULL);
    return 0;
}
