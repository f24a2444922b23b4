/* An event is there, and a timer may have fired as well or not yet: a choice that nothing else shows. */
#include <assert.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>

int main(void)
{
    int event = eventfd(1, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
    timerfd_settime(timer, 0, &soon, NULL);
    struct pollfd fds[2] = {{.fd = event, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
    poll(fds, 2, -1);
    assert(fds[1].revents); /* BUG */
    return 0;
}
