/* select and pselect with a time limit: both outcomes; a mask of signals while waiting. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

static int fds[2];
static volatile sig_atomic_t ran;

static void handler(int sig)
{
    ran++;
}

static void *writer(void *arg)
{
    assert(write(fds[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    fd_set r;
    struct timeval second = {1, 0};
    struct timespec soon = {0, 1000};
    sigset_t none, usr1;
    assert(pipe(fds) == 0);
    pthread_create(&t, NULL, writer, NULL);
    FD_ZERO(&r);
    FD_SET(fds[0], &r);
    int n = select(fds[0] + 1, &r, NULL, NULL, &second);
    assert(n == 1 ? FD_ISSET(fds[0], &r) : n == 0 && !FD_ISSET(fds[0], &r));
    FD_ZERO(&r);
    FD_SET(fds[0], &r);
    n = pselect(fds[0] + 1, &r, NULL, NULL, &soon, NULL);
    assert(n == 0 || n == 1);
    struct pollfd p = {.fd = fds[0], .events = POLLIN};
    assert(ppoll(&p, 1, NULL, NULL) == 1 && p.revents == POLLIN);
    pthread_join(t, NULL);

    sigemptyset(&none);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    signal(SIGUSR1, handler);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    raise(SIGUSR1);
    assert(ran == 0);
    p.fd = fds[1];
    p.events = POLLIN;
    assert(ppoll(&p, 1, NULL, &none) == -1 && errno == EINTR && ran == 1);
    raise(SIGUSR1);
    assert(pselect(0, NULL, NULL, NULL, NULL, &none) == -1 && errno == EINTR && ran == 2);
    return 0;
}
