/* Booleans are explored completely. */
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

_Atomic int sum;

static void *worker(void *arg)
{
    if (__VERIFIER_nondet_bool())
        sum++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(sum <= 2);
}
