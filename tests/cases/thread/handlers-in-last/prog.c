/* pthread_exit in main: the handlers of exit run in the thread that ends last, whichever it is. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static __thread int me;

static void handler(void)
{
    assert(me >= 1 && me <= 3);
    assert(me != WHO); /* BUG */
}

static void *ends(void *number)
{
    me = (int)(long)number;
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, ends, (void *)1);
    pthread_create(&t, NULL, ends, (void *)2);
    me = 3;
    pthread_exit(NULL);
}
