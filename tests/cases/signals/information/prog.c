/* What a handler, sigwaitinfo and a timer's signal are told: who sent it, how, with which value. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int codes[3], value, calls;

static void handler(int sig, siginfo_t *info, void *context)
{
    assert(sig == SIGUSR1 && info->si_signo == sig && info->si_pid == getpid() && info->si_uid == getuid());
    assert(context);
    codes[calls++] = info->si_code;
    value = info->si_value.sival_int;
}

static void timer_says(sigset_t *set)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN,
                             .sigev_value.sival_int = 17};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {0, 1000}}, 0);
    siginfo_t info;
    assert(sigwaitinfo(set, &info) == SIGRTMIN);
    assert(info.si_code == SI_TIMER && info.si_value.sival_int == 17);
    timer_delete(timer);
}

int main(void)
{
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &a, 0);
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42});
    assert(codes[0] == SI_USER && codes[1] == SI_TKILL && codes[2] == SI_QUEUE && value == 42);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, 0);
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1});
    kill(getpid(), SIGRTMIN);
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_QUEUE);
    assert(info.si_value.sival_int == 1);
    assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_USER && info.si_pid == getpid());
    timer_says(&set);
    return 0;
}
