/* The inputs that lead to the branch on an odd number are 3, for which an assumption of another thread
 * fails before, and 7. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v0, v1;
static int a, b, odd;

static void *first(void *unused)
{
    if ((a ^ 2) != (b & a)) {
        atomic_fetch_add(&v1, 1);
    } else {
        atomic_store(&v1, 1);
        if (a & 1)
            odd = 1;
    }
    return unused;
}

static void *second(void *unused)
{
    raddle_assume(a != 3);
    atomic_store(&v0, 5);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    a = raddle_input_int("a", 2, 9);
    b = raddle_input_int("b", -4, 3);
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    raddle_assert(!odd); // BUG
    return 0;
}
