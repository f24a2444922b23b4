/* What the atomic section touches depends on what it reads: 7 traces, 30 interleavings. */
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Atomic int x, y, z;
static void *t1(void *a)
{
    __VERIFIER_atomic_begin();
    if (x == 0) y = 1; else z = 1;
    __VERIFIER_atomic_end();
    return a;
}
static void *t2(void *a) { x = 1; y = 2; return a; }
static void *t3(void *a) { z = 3; x = 2; return a; }
int main(void)
{
    pthread_t t[3];
    pthread_create(t, 0, t1, 0);
    pthread_create(t+1, 0, t2, 0);
    pthread_create(t+2, 0, t3, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
