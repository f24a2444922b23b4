/* Two calls of atomic functions in a row are two sections. */
#include <assert.h>
#include <pthread.h>
_Atomic int x, n;
void __VERIFIER_atomic_set(int v) { x = v; n++; }
static void *setter(void *a)
{
    __VERIFIER_atomic_set(1);
    __VERIFIER_atomic_set(2);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, setter, 0);
    int seen = x;
    pthread_join(t, 0);
    assert(seen != 1); /* BUG */
}
