/* An alarm whose handler runs ends a sleep; what is left of it is told. Durations that are none fail. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int calls;

static void handler(int sig)
{
    calls++;
}

int main(void)
{
    struct timespec three = {3, 0}, left = {0, 0}, wrong = {0, 1000000000};
    signal(SIGALRM, handler);
    alarm(1);
    assert(sleep(3) == 2 && calls == 1);
    alarm(1);
    assert(nanosleep(&three, &left) == -1 && errno == EINTR && calls == 2);
    assert(left.tv_sec == 2 || (left.tv_sec == 1 && left.tv_nsec > 900000000));
    assert(sleep(3) == 0 && calls == 2);
    assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, 0) == EINVAL);
    return 0;
}
