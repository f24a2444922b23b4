/* sigtimedwait, sigwaitinfo, sigpending, setitimer with a period, what alarm and setitimer return. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;

static void handler(int sig)
{
    alarms++;
}

static void *sender(void *arg)
{
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return NULL;
}

int main(void)
{
    pthread_t t, self = pthread_self();
    sigset_t set, pending;
    siginfo_t info;
    struct timespec limit = {.tv_sec = 1};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, sender, &self);
    int got = sigtimedwait(&set, &info, &limit); /* in time or not */
    assert(got == SIGUSR1 ? info.si_signo == SIGUSR1 : got == -1 && errno == EAGAIN);
    if (got < 0)
        assert(sigwaitinfo(&set, NULL) == SIGUSR1);
    pthread_join(t, NULL);
    assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));

    struct itimerval every = {{1, 0}, {2, 0}}, none = {{0, 0}, {0, 0}}, left;
    signal(SIGALRM, handler);
    assert(alarm(10) == 0 && alarm(0) == 10);
    assert(setitimer(ITIMER_REAL, &every, NULL) == 0);
    pause();
    pause();
    assert(alarms == 2);
    assert(setitimer(ITIMER_REAL, &none, &left) == 0 && left.it_value.tv_sec <= 1);
    return 0;
}
