/* Two threads add to each other's number N times; main looks without waiting for them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void *first(void *arg)
{
    for (int k = 0; k < N; k++) {
        int a = atomic_load(&i), b = atomic_load(&j);
        atomic_store(&i, a + b);
    }
    return NULL;
}

static void *second(void *arg)
{
    for (int k = 0; k < N; k++) {
        int b = atomic_load(&j), a = atomic_load(&i);
        atomic_store(&j, a + b);
    }
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    int limit = 1, before = 1;
    for (int k = 0; k < 2 * N; k++) {
        int next = limit + before;
        before = limit;
        limit = next;
    }
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    assert(atomic_load(&i) <= limit && atomic_load(&j) <= limit);
    return 0;
}
