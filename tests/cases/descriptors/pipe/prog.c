/* A pipe between two threads: the reader blocks until the writer has written. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];
static int ready;

static void *writer(void *arg)
{
    ready = 1; /* ordered before the read by the pipe */
    assert(write(fds[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    assert(pipe(fds) == 0);
    pthread_create(&t, NULL, writer, NULL);
    assert(read(fds[0], &c, 1) == 1 && c == 'x');
    assert(ready == 1);
    pthread_join(t, NULL);
    return 0;
}
