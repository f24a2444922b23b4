/* Does what a thread has of its own tell states apart? It fails in every fourth round only. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int other;
static __thread int own;
static pthread_key_t key;

static void step(int *n)
{
    *n = (*n + 1) % 4;
}

static void *worker(void *arg)
{
    int in_register = 0, on_stack = 0, *on_heap = calloc(1, sizeof *on_heap);
    for (;;) {
        in_register = (in_register + 1) % 4;
        step(&on_stack);
        step(&own);
        step(on_heap);
        pthread_setspecific(key, (void *)(long)in_register);
        int seen = atomic_load(&other);
        assert(!(seen && FAILS)); /* BUG */
    }
}

static void *toggle(void *arg)
{
    for (;;) {
        atomic_store(&other, 1);
        atomic_store(&other, 0);
    }
}

int main(void)
{
    pthread_t t[2];
    pthread_key_create(&key, NULL);
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, toggle, NULL);
    pthread_join(t[0], NULL);
}
