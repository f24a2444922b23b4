/* A thread reads signals from a descriptor; which of the two comes first is up to the senders. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fd;

static void *send(void *sig)
{
    kill(getpid(), (int)(long)sig);
    return NULL;
}

int main(void)
{
    sigset_t set;
    pthread_t senders[2];
    struct signalfd_siginfo first, second;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, 0);
    assert(read(fd, &first, sizeof first - 1) == -1 && errno == EINVAL);
    pthread_create(&senders[0], NULL, send, (void *)(long)SIGUSR1);
    pthread_create(&senders[1], NULL, send, (void *)(long)SIGUSR2);
    assert(read(fd, &first, sizeof first) == sizeof first);
    assert(read(fd, &second, sizeof second) == sizeof second);
    assert(first.ssi_signo + second.ssi_signo == SIGUSR1 + SIGUSR2);
#ifdef WRONG
    assert(first.ssi_signo == SIGUSR1); /* BUG */
#endif
    pthread_join(senders[0], NULL);
    pthread_join(senders[1], NULL);
    assert(signalfd(-1, &set, SFD_NONBLOCK) >= 0);
    assert(close(fd) == 0);
    return 0;
}
