#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* A process that stops itself is not killed. */
static int n;

static void *stops(void *arg)
{
    n = 1;
    assert(raise(SIGSTOP) == 0);
    n = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, stops, NULL);
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
