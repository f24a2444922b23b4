/* A thread whose loop runs on another stack (makecontext): it fails in every fourth round only. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>

enum { SIZE = 1 << 16 };
static atomic_int other;
static ucontext_t outside, inside;

static void loop(void)
{
    for (int n = 0;; n = (n + 1) % 4) {
        int seen = atomic_load(&other);
        assert(!(seen == 1 && n == 3)); /* BUG */
    }
}

static void *worker(void *arg)
{
    getcontext(&inside);
    inside.uc_stack.ss_sp = malloc(SIZE);
    inside.uc_stack.ss_size = SIZE;
    inside.uc_link = &outside;
    makecontext(&inside, loop, 0);
    swapcontext(&outside, &inside);
    return NULL;
}

static void *count(void *arg)
{
    for (int i = 0;; i = (i + 1) % 12)
        atomic_store(&other, i);
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_join(t[0], NULL);
}
