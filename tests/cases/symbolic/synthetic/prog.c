/* After the description of Synthetic in the thesis (section 8.1): sequences of operations on
 * inputs and on global variables that were drawn at random. With -DCHOOSE every value of the
 * inputs that makes a difference is a choice. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

#ifdef CHOOSE
#define INPUT(name, low, high) (raddle_choose(2) ? (high) : (low))
#else
#define INPUT(name, low, high) raddle_input_int(name, low, high)
#endif

static atomic_int i, j, k;

static void *first(void *unused)
{
    int in = INPUT("a", -50, 200);
    i = i + 1;
    if (in > 20)
        j = k;
    int seen = i;
    if (in > 20)
        k = seen;
    return unused;
}

static void *second(void *unused)
{
    int in = INPUT("b", 0, 99);
    if (in >= 50)
        i = 7;
    k = j + 2;
    return unused;
}

static void *third(void *unused)
{
    int in = INPUT("c", -32, 32), seen = k;
    if (in + in > 3)
        j = seen;
    return unused;
}

int main(void)
{
    void *(*const run[])(void *) = {first, second, third};
    pthread_t t[3];
    for (int n = 0; n < 3; n++)
        pthread_create(&t[n], NULL, run[n], NULL);
    for (int n = 0; n < 3; n++)
        pthread_join(t[n], NULL);
    return 0;
}
