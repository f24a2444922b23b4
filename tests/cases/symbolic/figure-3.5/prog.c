/* Figure 3.5 of Kähkönen's thesis. The input is 0: the write before or after the read; or it is
 * not: 3 pairs of a trace and a path. The branch of thread 1 never goes the other way. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <limits.h>

static atomic_int X;
static int big;

static void *first(void *unused)
{
    int a = X;
    a = a + 5;
    if (a > 10)
        big++;
    return unused;
}

static void *second(void *unused)
{
    int b = raddle_input_int("b", INT_MIN, INT_MAX);
    if (b == 0)
        X = b;
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    raddle_assert(!big);
    return 0;
}
