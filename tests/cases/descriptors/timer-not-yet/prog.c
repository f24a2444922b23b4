/* A timer that is looked at without waiting has gone off, or not yet; what poll has seen stays. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), seen;
    uint64_t times;
    assert(read(timer, &times, 8) < 0 && errno == EAGAIN);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = {0, 1000000}}, NULL);
    struct pollfd p = {timer, POLLIN, 0};
    seen = read(timer, &times, 8) == 8;
    if (!seen && poll(&p, 1, 0) == 1)
        seen = read(timer, &times, 8) == 8 ? 2 : 9;
    if (!seen) {
        assert(poll(&p, 1, 10) == 1);
        seen = read(timer, &times, 8) == 8 ? 3 : 9;
    }
    assert(seen != 9);
    assert(read(timer, &times, 8) < 0 && errno == EAGAIN);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = {0, 1000000}}, NULL);
    usleep(2000);
    assert(read(timer, &times, 8) == 8);
    assert(seen != SEEN); /* BUG */
}
