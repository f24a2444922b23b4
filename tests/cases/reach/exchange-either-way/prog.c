/* A compare-exchange that fails here succeeds there: behind the last write, in the place of another one,
 * or before all of them. One thread goes 0 → 1 → 2, one 1 → 0, one adds to what it finds and looks. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static int swap(int from, int to)
{
    return atomic_compare_exchange_strong(&x, &from, to);
}

static void *up(void *a)
{
    swap(0, 1);
    if (!swap(1, 2))
        atomic_store(&y, 1);
    return a;
}

static void *down(void *a)
{
    if (swap(1, 0))
        swap(0, 3);
    return a;
}

static void *add(void *a)
{
    int one = 1;
    if (atomic_fetch_add(&x, 1) == 0)
        atomic_compare_exchange_strong(&y, &one, 2);
    return a;
}

int main(void)
{
    pthread_t t[3];
    void *(*run[])(void *) = {up, down, add};
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
