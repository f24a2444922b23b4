/* Ignoring a signal discards it where it is pending; SIGKILL and SIGSTOP cannot be blocked;
 * signal 0 is none. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    sigset_t set, pending, blocked;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    sigpending(&pending);
    assert(sigismember(&pending, SIGUSR1));
    signal(SIGUSR1, SIG_IGN);
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1));
    signal(SIGUSR1, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, 0);

    sigfillset(&set);
    sigprocmask(SIG_SETMASK, &set, 0);
    sigprocmask(SIG_BLOCK, 0, &blocked);
    assert(sigismember(&blocked, SIGTERM));
    assert(!sigismember(&blocked, SIGKILL) && !sigismember(&blocked, SIGSTOP));
    assert(raise(0) == 0 && kill(getpid(), 0) == 0 && pthread_kill(pthread_self(), 0) == 0);
    assert(kill(getpid(), 99) == -1 && errno == EINVAL);
    return 0;
}
