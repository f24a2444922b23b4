/* A thread polls an eventfd and a pipe; a timerfd and a timeout are choices. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ev;

static void *poster(void *arg)
{
    uint64_t one = 1;
    assert(write(ev, &one, 8) == 8);
    return NULL;
}

int main(void)
{
    pthread_t t;
    uint64_t v = 0;
    ev = eventfd(0, EFD_NONBLOCK);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0);
    struct itimerspec when = {.it_value = {.tv_sec = 5}};
    struct epoll_event e = {.events = EPOLLIN, .data.fd = ev};
    timerfd_settime(timer, 0, &when, NULL);
    epoll_ctl(ep, EPOLL_CTL_ADD, ev, &e);
    pthread_create(&t, NULL, poster, NULL);

    struct pollfd p[2] = {{.fd = ev, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
    int n = poll(p, 2, -1);
    assert(n >= 1 && (p[0].revents || p[1].revents));
    n = poll(p, 1, 100); /* may time out */
    assert(n == 0 || p[0].revents == POLLIN);
    assert(epoll_wait(ep, &e, 1, -1) == 1 && e.data.fd == ev);
    fd_set r;
    FD_ZERO(&r);
    FD_SET(ev, &r);
    assert(select(ev + 1, &r, NULL, NULL, NULL) == 1 && FD_ISSET(ev, &r));
    assert(read(ev, &v, 8) == 8 && v == 1);
    assert(read(ev, &v, 8) == -1);
    pthread_join(t, NULL);
    return 0;
}
