/* Waits by yielding, and counts the rounds: no two rounds are in the same state. Fairness would
 * bring the loop to its end, but nobody has promised that. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready, rounds;

static void *waiter(void *arg)
{
    while (!ready) {
        rounds++;
        sched_yield();
    }
    return NULL;
}

static void *setter(void *arg)
{
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(rounds < 100);
    return 0;
}
