/* Every context has its mask of signals, and what is unblocked by going on there comes at once. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

static ucontext_t routine, back;
static char stack[64 << 10];
static int hits;

static void handler(int sig)
{
    (void)sig;
    hits++;
}

static int blocked(int sig)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, sig);
}

static void body(void)
{
    assert(hits == 1 && !blocked(SIGUSR1) && blocked(SIGUSR2));
    swapcontext(&routine, &back);
    assert(hits == 2 && !blocked(SIGUSR1) && blocked(SIGUSR2));
    setcontext(&back);
}

static void *other(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    signal(SIGUSR1, handler);
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = sizeof stack;
    sigaddset(&routine.uc_sigmask, SIGUSR2);
    makecontext(&routine, body, 0);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(hits == 0);
    swapcontext(&back, &routine);
    assert(hits == 1 && blocked(SIGUSR1) && !blocked(SIGUSR2));
    raise(SIGUSR1);
    assert(hits == 1);
    swapcontext(&back, &routine);
    assert(hits == 2 && blocked(SIGUSR1));
    pthread_join(t, NULL);
    return 0;
}
