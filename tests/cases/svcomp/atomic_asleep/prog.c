/* Atomic sections of which is known what they touch only when they were in their place: a sequence
 * that ends with one may leave threads asleep, and what others insert below it must not be taken
 * for covered. 30 traces. */
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Atomic int x, y, z;
static int p, q, r[4];
static void *t1(void *a)
{
    z = 1;
    __VERIFIER_atomic_begin();
    if (x == 2)
        y = 3;
    else
        z ^= 2;
    if (q == 0)
        r[1] ^= atomic_fetch_add(&x, 1);
    __VERIFIER_atomic_end();
    return a;
}
static void *t2(void *a)
{
    x += 1;
    return a;
}
static void *t3(void *a)
{
    __VERIFIER_atomic_begin();
    r[3] = z;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    r[3] = r[3] * 4 + p;
    y++;
    __VERIFIER_atomic_end();
    return a;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(t, 0, t1, 0);
    pthread_create(t + 1, 0, t2, 0);
    pthread_create(t + 2, 0, t3, 0);
    r[0] = z;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
