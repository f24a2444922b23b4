#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;

static void last(void)
{
    assert(x == 1); /* BUG */
}

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    if (arg)
        exit(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atexit(last);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
