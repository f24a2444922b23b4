/* A loop that looks in an atomic section: what it sees of two variables belongs together. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Atomic int x, y;
static void *waiter(void *a)
{
    int r1, r2;
    do {
        __VERIFIER_atomic_begin();
        r1 = y;
        r2 = x;
        __VERIFIER_atomic_end();
    } while (!r2);
    assert(r1 == 1);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    y = 1;
    x = 1;
    pthread_join(t, 0);
}
