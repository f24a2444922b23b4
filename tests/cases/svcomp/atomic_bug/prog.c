/* Reading the two one after the other is not atomic. */
#include <pthread.h>

void reach_error(void);

_Atomic int a, b;

void __VERIFIER_atomic_both(void)
{
    a++;
    b++;
}

static void *worker(void *arg)
{
    __VERIFIER_atomic_both();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (a != b)
        reach_error(); // BUG
    pthread_join(t, 0);
}
