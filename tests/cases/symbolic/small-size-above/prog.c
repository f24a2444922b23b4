/* At least two threads, as an input says: two or three are tried before a thousand million. */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *add(void *a)
{
    atomic_store(&x, atomic_load(&x) + 1);
    return a;
}

int main(void)
{
    int n;
    raddle_input(&n, sizeof n, "n");
    raddle_assume(n >= 2);
    pthread_t *t = malloc((size_t)n * sizeof *t);
    raddle_assume(t && n < 100);
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(x == n); /* BUG */
}
