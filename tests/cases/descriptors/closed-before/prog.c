/* A descriptor that another thread may have closed before: writing works or fails with EBADF. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int steps;

static void *closes(void *arg)
{
    close(ends[1]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, closes, NULL);
    steps++;
    int done = write(ends[1], "x", 1) == 1;
#ifdef WORKS
    assert(!done); /* WORKED */
#else
    assert(done || errno != EBADF); /* BUG */
#endif
    pthread_join(t, NULL);
    return 0;
}
