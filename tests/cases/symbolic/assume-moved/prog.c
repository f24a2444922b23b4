/* With x = 1, which comes first, an assumption of the second thread fails, and after that one of the first
 * thread, which has gone on meanwhile: that says nothing about where it stood before. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v, w;
static int x;

static void *first(void *unused)
{
    if (x & 1)
        atomic_store(&v, 1);
    raddle_assume(x != 1);
    return unused;
}

static void *second(void *unused)
{
    raddle_assume(x != 1);
    return unused;
}

static void *third(void *unused)
{
    if ((x | 2) == 3)
        atomic_store(&w, 1);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    x = raddle_input_int("x", 0, 7);
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    raddle_assert(w == (x == 3));
    return 0;
}
