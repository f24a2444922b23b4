/* What epoll gives to one thread only: an event with EPOLLONESHOT or EPOLLET, and, where there is
 * room for one of two, which comes first. Argument: the outcome that must not be. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int ep, found[2];

static void *wait_for_it(void *arg)
{
    struct epoll_event e = {0};
    int n = epoll_wait(ep, &e, 1, 10);
    found[(long)arg] = n ? e.data.fd : 0;
    return 0;
}

static int watch(uint32_t how, int as)
{
    int fd = eventfd(1, 0);
    struct epoll_event e = {.events = EPOLLIN | how, .data.fd = as};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
    return fd;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    ep = epoll_create1(0);
    if (argv[1][0] == 's')
        watch(EPOLLONESHOT, 1);
    else if (argv[1][0] == 'e')
        watch(EPOLLET, 1);
    else
        watch(0, 1), watch(0, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, wait_for_it, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(found[0] * 10 + found[1] != atoi(argv[1] + 1));
    return 0;
}
