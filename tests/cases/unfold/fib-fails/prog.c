/* Two threads add to each other's number; main looks at both and does not join. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void *add_j(void *arg)
{
    for (int k = 0; k < 4; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return arg;
}

static void *add_i(void *arg)
{
    for (int k = 0; k < 4; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add_j, NULL);
    pthread_create(&b, NULL, add_i, NULL);
    int x = atomic_load(&i), y = atomic_load(&j);
    assert(x <= 55 && y <= 55);
    assert(x < LIMIT); /* BUG */
    pthread_exit(NULL);
}
