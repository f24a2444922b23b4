#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Handlers of at_quick_exit run too, those of atexit do not. */
static atomic_int closed;

static void close_all(void)
{
    closed++;
}

static void never(void)
{
    assert(!"atexit and quick_exit");
}

static void *use(void *arg)
{
    assert(!closed); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    at_quick_exit(close_all);
    atexit(never);
    pthread_create(&t, NULL, use, NULL);
    quick_exit(0);
}
