/* How floating point is rounded is each thread's own; a new thread begins as its creator. */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *inherits(void *arg)
{
    assert(fegetround() == FE_UPWARD);
    return NULL;
}

static void *worker(void *arg)
{
    pthread_t t;
    fesetround(FE_UPWARD);
    atomic_store(&x, 1);
    pthread_create(&t, NULL, inherits, NULL);
    atomic_store(&x, 2);
    pthread_join(t, NULL);
    assert(fegetround() == FE_UPWARD);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(fegetround() == FE_TONEAREST);
    pthread_create(&t, NULL, worker, NULL);
    atomic_load(&x);
    assert(fegetround() == FE_TONEAREST);
    atomic_load(&x);
    pthread_join(t, NULL);
    assert(fegetround() == FE_TONEAREST);
    fesetround(FE_DOWNWARD); /* the next execution begins anew */
}
