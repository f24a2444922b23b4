/* A reader finds the pipe blocking or not, depending on when main makes it so through a duplicate;
 * how much is in it (FIONREAD) depends on when, too. Argument: the outcome that must not be. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *arg)
{
    char c;
    int there = 0;
    ioctl(ends[0], FIONREAD, &there);
    if (read(ends[0], &c, 1) == 1)
        return (void *)(long)(1 + there);
    assert(errno == EAGAIN && !there);
    return (void *)3;
}

int main(int argc, char **argv)
{
    pthread_t t;
    void *result;
    pipe(ends);
    int copy = dup(ends[0]);
    pthread_create(&t, 0, reads, 0);
    fcntl(copy, F_SETFL, O_NONBLOCK);
    assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    write(ends[1], "x", 1);
    pthread_join(t, &result);
    assert((long)result != atoi(argv[1]));
    return 0;
}
