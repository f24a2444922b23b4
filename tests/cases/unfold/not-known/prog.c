/* A pipe between threads: an operation that the engine does not know makes the verdict incomplete. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *send(void *arg)
{
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    char c;
    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, send, NULL);
    assert(read(ends[0], &c, 1) == 1);
    pthread_join(t, NULL);
}
