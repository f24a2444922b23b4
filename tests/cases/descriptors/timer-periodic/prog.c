/* A timerfd that fires again and again, and one that is set off. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    uint64_t n = 0, sum = 0;
    struct itimerspec every = {{1, 0}, {1, 0}}, none = {{0, 0}, {0, 0}}, now;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    assert(read(fd, &n, 8) == -1 && errno == EAGAIN);
    assert(timerfd_settime(fd, 0, &every, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        assert(poll(&p, 1, -1) == 1);
        assert(read(fd, &n, 8) == 8 && n >= 1);
        sum += n;
    }
    assert(sum >= 3 && timerfd_gettime(fd, &now) == 0);
    assert(timerfd_settime(fd, 0, &none, NULL) == 0);
    assert(read(fd, &n, 8) == -1 && errno == EAGAIN);
    return 0;
}
