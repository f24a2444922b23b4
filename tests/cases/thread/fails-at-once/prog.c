/* A thread fails at its start, before main creates another, which would fail too: it is told that
 * this was not looked for. */
#include <assert.h>
#include <pthread.h>

static void *first(void *arg)
{
    assert(arg); /* BUG */
    return arg;
}

static void *second(void *arg)
{
    assert(arg);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
