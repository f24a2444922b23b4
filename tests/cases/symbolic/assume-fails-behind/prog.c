/* Where x is 1 an assumption fails before the second thread comes to its branch, and the way to that
 * assumption leads past a branch that goes only one way. Nothing is left to be explored there. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v, w;
static int x;

static void *first(void *unused)
{
    if (x - 1 >= x << (x & 3))
        atomic_store(&v, 1);
    else
        raddle_assume(x != 1);
    return unused;
}

static void *second(void *unused)
{
    if (x == 1)
        atomic_store(&v, 2);
    if (x == 2)
        atomic_store(&w, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    x = raddle_input_int("x", 0, 7);
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    raddle_assert(!v);
    return 0;
}
