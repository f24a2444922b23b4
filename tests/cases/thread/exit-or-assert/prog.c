#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* The second thread can come to its assertion before the first ends the program. */
static void *leave(void *arg)
{
    exit(0);
}

static void *fail(void *arg)
{
    assert(arg); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, fail, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    return 0;
}
