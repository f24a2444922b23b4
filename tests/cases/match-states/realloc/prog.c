/* What realloc copies is written memory like any other, though the old block, where it was, is freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;

static void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
    *p = atomic_load(&x);
    p = realloc(p, 1000 * sizeof *p);
    for (int i = 0; i < 40; i++)
        atomic_store(&z, i & 1);
    assert(!(*p == 1 && atomic_load(&y) == 2)); /* BUG */
    return NULL;
}

static void *count(void *arg)
{
    atomic_store(&x, 1);
    for (int i = 0;; i = (i + 1) % 3)
        atomic_store(&y, i);
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_join(t[0], NULL);
}
