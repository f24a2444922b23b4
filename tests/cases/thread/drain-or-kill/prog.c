#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Only if main waits for the others to end is the assertion reached. */
static void *work(void *arg)
{
    assert(arg); /* BUG */
    return NULL;
}

atomic_int x;

static void *late(void *arg)
{
    atomic_fetch_add(&x, 1);
    return work(NULL);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, late, NULL);
    return 0;
}
