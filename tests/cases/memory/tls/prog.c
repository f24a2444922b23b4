#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Thread-local variables are per thread and start afresh in every execution. */
__thread int v[3];
__thread int w = 7;
atomic_int x;

static void *work(void *arg)
{
    assert(v[0] == 0 && v[1] == 0 && v[2] == 0 && w == 7);
    v[0] = 1, v[1] = 2, v[2] = 3, w = 8;
    atomic_fetch_add(&x, 1);
    assert(v[0] == 1 && v[1] == 2 && v[2] == 3 && w == 8);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(v[0] == 0 && w == 7);
    v[1] = w = 9;
    return 0;
}
