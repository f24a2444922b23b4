/* A timer that sends a signal, once to a thread that waits for it and periodically to a handler. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ran;

static void handler(int sig)
{
    ran++;
}

int main(void)
{
    timer_t t, again;
    sigset_t set;
    siginfo_t info;
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
    struct itimerspec when = {.it_value = {.tv_sec = 1}};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    assert(timer_create(CLOCK_REALTIME, &e, &t) == 0);
    assert(timer_settime(t, 0, &when, NULL) == 0);
    assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_value.sival_int == 7);
    signal(SIGALRM, handler);
    when.it_interval.tv_sec = 1;
    assert(timer_create(CLOCK_REALTIME, NULL, &again) == 0); /* SIGALRM */
    assert(timer_settime(again, 0, &when, NULL) == 0);
    assert(pause() == -1 && errno == EINTR && ran >= 1);
    timer_delete(again);
    timer_delete(t);
    return 0;
}
