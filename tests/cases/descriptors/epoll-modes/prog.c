/* epoll: by level, by edge, once only; several descriptors; changed and removed. */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int a[2], b[2];

static void *writer(void *arg)
{
    int *fds = arg;
    assert(write(fds[1], "x", 1) == 1);
    return NULL;
}

static int wait_for(int ep, int timeout)
{
    struct epoll_event e[4];
    int n = epoll_wait(ep, e, 4, timeout);
    return n <= 0 ? n : n == 2 ? -2 : e[0].data.fd;
}

int main(void)
{
    pthread_t t, u;
    char c;
    assert(pipe(a) == 0 && pipe(b) == 0);
    int ep = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = a[0]};
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, a[0], &e) == 0);
    e.events = EPOLLIN | EPOLLET;
    e.data.fd = b[0];
    assert(epoll_ctl(ep, EPOLL_CTL_ADD, b[0], &e) == 0);
    pthread_create(&t, NULL, writer, a);
    assert(wait_for(ep, -1) == a[0]);
    assert(wait_for(ep, -1) == a[0]); /* still there: by level */
    assert(read(a[0], &c, 1) == 1 && wait_for(ep, 0) == 0);
    pthread_join(t, NULL);
    pthread_create(&u, NULL, writer, b);
    assert(wait_for(ep, -1) == b[0]);
    assert(wait_for(ep, 0) == 0); /* by edge: told once */
    pthread_join(u, NULL);
    e.events = EPOLLIN | EPOLLONESHOT;
    assert(epoll_ctl(ep, EPOLL_CTL_MOD, b[0], &e) == 0);
    assert(wait_for(ep, -1) == b[0] && wait_for(ep, 0) == 0);
    assert(epoll_ctl(ep, EPOLL_CTL_DEL, b[0], NULL) == 0 && wait_for(ep, 0) == 0);
    return 0;
}
