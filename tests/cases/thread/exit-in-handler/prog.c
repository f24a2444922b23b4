#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* What a handler of exit() does is seen by threads that still run. */
static atomic_int closed;

static void close_all(void)
{
    closed = 1;
}

static void *use(void *arg)
{
    assert(!closed); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(close_all);
    pthread_create(&t, NULL, use, NULL);
    exit(0);
}
