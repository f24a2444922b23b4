/* Threads are joined by others than those that created them: by whoever gets their handle. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong handle[2];
static atomic_long x;

static void *leaf(void *arg)
{
    return (void *)(atomic_fetch_add(&x, 1) + (long)arg);
}

static long join(int i)
{
    void *result = NULL;
    unsigned long t = atomic_exchange(&handle[i], 0);
    if (t)
        pthread_join((pthread_t)t, &result);
    return (long)result;
}

static void *creator(void *arg)
{
    int i = arg != NULL;
    pthread_t t;
    pthread_create(&t, NULL, leaf, (void *)(10l * (i + 1)));
    handle[i] = (unsigned long)t;
    return (void *)join(!i);
}

int main(void)
{
    pthread_t a, b;
    void *of_a, *of_b;
    pthread_create(&a, NULL, creator, NULL);
    pthread_create(&b, NULL, creator, &x);
    pthread_join(a, &of_a);
    pthread_join(b, &of_b);
    long rest = join(0) + join(1);
    assert((long)of_a + (long)of_b + rest == 31);
    assert((long)of_a != 21 || (long)of_b != 10); /* each joins the other's, and b's was the last */
    return 0;
}
