/* Figure 3.12 of Kähkönen's thesis: thread 1 reads before the write, or after it, and then the
 * input is positive or not: 3 pairs of a trace and a path. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <limits.h>

static atomic_int X;

static void *first(void *unused)
{
    int a = X;
    if (a > 0)
        raddle_assert(0); /* BUG */
    return unused;
}

static void *second(void *unused)
{
    int b = X;
    if (b == 0)
        X = raddle_input_int("x", INT_MIN, INT_MAX);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
