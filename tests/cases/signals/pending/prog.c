/* sigpending() sees a signal that another thread has sent, or not yet; once seen it stays. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int is_pending(void)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGUSR2);
}

static void *sends(void *to)
{
    pthread_kill(*(pthread_t *)to, SIGUSR2);
    return NULL;
}

int main(void)
{
    pthread_t me = pthread_self(), t;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, sends, &me);
    int seen = is_pending();
    seen = 2 * seen + is_pending();
    pthread_join(t, NULL);
    assert(seen != 2);
    assert(seen != SEEN); /* BUG */
}
