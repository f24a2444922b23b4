/* An atomic section that takes a mutex, which another thread may hold: more than accesses to memory. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int a, b;

static void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    a++;
    b++;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    assert(a == b);
    pthread_mutex_unlock(&m);
    assert(b == 0 || a == 1);
    pthread_join(t, 0);
}
