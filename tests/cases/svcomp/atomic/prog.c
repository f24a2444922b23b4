/* Functions named __VERIFIER_atomic_* are not interrupted, nor is what begin and end enclose. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);

int x, y;
_Atomic int a, b;

void __VERIFIER_atomic_both(void)
{
    a++;
    b++;
    x++;
}

static void *worker(void *arg)
{
    __VERIFIER_atomic_both();
    __VERIFIER_atomic_begin();
    a++;
    y++;
    b++;
    __VERIFIER_atomic_end();
    return arg;
}

int __VERIFIER_atomic_differ(void)
{
    return a != b;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    if (__VERIFIER_atomic_differ())
        reach_error();
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a == 4 && x == 2 && y == 2);
}
