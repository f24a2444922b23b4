/* pthread_exit in main: the handlers of exit run when the last thread has ended, and see all it did. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;
static int order[2];

static void handler(void)
{
    n++;
    assert(order[0] + order[1] == 3);
#ifdef FIRST
    assert(order[0] != FIRST); /* BUG */
#endif
}

static void *put(void *number)
{
    order[n++] = (int)(long)number;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, NULL, put, (void *)1);
    pthread_create(&b, NULL, put, (void *)2);
    pthread_exit(NULL);
}
