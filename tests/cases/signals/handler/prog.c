/* Handlers: raise() at once, blocked ones later, sigsuspend, alarm, sigqueue, EINTR of a wait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t ran, value;
static sem_t started, never;

static void handler(int sig, siginfo_t *info, void *context)
{
    ran++;
    value = info->si_value.sival_int;
}

static void *sleeper(void *arg)
{
    sigset_t none;
    sigemptyset(&none);
    sem_post(&started);
    sigsuspend(&none);
    assert(ran == 5);
    return NULL;
}

int main(void)
{
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    pthread_t t;
    sigset_t set, old;
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGALRM, &a, NULL);
    raise(SIGUSR1);
    assert(ran == 1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    raise(SIGUSR1);
    assert(ran == 1);
    assert(sigsuspend(&old) == -1 && errno == EINTR && ran == 2);
    alarm(3);
    assert(pause() == -1 && ran == 3);
    alarm(1);
    sem_init(&never, 0, 0);
    assert(sem_wait(&never) == -1 && errno == EINTR && ran == 4);
    sem_init(&started, 0, 0);
    pthread_create(&t, NULL, sleeper, NULL); /* SIGUSR1 is blocked there too */
    sem_wait(&started);
    union sigval v = {.sival_int = 42};
    pthread_sigqueue(t, SIGUSR1, v);
    pthread_join(t, NULL);
    assert(value == 42);
    return 0;
}
