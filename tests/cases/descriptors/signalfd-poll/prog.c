/* An event loop: work comes through an eventfd, the word to end through a signal. That all work is done when
 * the signal is seen is believed by WRONG. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int work, ends;

static void *loop(void *unused)
{
    int done = 0, epoll = epoll_create1(0);
    struct epoll_event add = {.events = EPOLLIN};
    add.data.fd = work;
    epoll_ctl(epoll, EPOLL_CTL_ADD, work, &add);
    add.data.fd = ends;
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends, &add);
    for (;;) {
        struct epoll_event seen[2];
        int n = epoll_wait(epoll, seen, 2, -1), end = 0;
        assert(n > 0);
        for (int i = 0; i < n; i++) {
            uint64_t count;
            struct signalfd_siginfo info;
            if (seen[i].data.fd == work) {
                assert(read(work, &count, sizeof count) == sizeof count);
                done += (int)count;
            } else {
                assert(read(ends, &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM);
                end = 1;
#ifdef WRONG
                i = n;
#endif
            }
        }
        if (end)
            break;
    }
#ifdef WRONG
    assert(done == 2); /* BUG */
#else
    assert(done <= 2);
#endif
    return NULL;
}

int main(void)
{
    sigset_t set;
    pthread_t thread;
    uint64_t one = 1;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    work = eventfd(0, 0);
    ends = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    pthread_create(&thread, NULL, loop, NULL);
    write(work, &one, sizeof one);
    kill(getpid(), SIGTERM);
    write(work, &one, sizeof one);
    pthread_join(thread, NULL);
    return 0;
}
