/* Copies share what is behind them; a reader that waits is woken when the last writer has gone. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2], copy;

static void *closer(void *arg)
{
    assert(write(copy, "x", 1) == 1);
    close(fds[1]);
    close(copy);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c;
    assert(pipe2(fds, O_CLOEXEC) == 0);
    copy = dup(fds[1]);
    int high = fcntl(fds[0], F_DUPFD_CLOEXEC, 20);
    assert(high >= 20 && dup2(fds[0], 30) == 30 && dup3(fds[0], 31, O_CLOEXEC) == 31);
    pthread_create(&t, NULL, closer, NULL);
    assert(read(30, &c, 1) == 1 && c == 'x');
    assert(read(high, &c, 1) == 0); /* the end */
    pthread_join(t, NULL);
    assert(close(30) == 0 && close(30) == -1 && errno == EBADF);
    assert(fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    return 0;
}
