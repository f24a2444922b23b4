/* A handler runs on the alternate stack of its thread, which it can leave by a jump; others run on the
 * usual one. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Thread_local char *stack;
static _Thread_local sigjmp_buf back;
static _Thread_local volatile int on, ran;
static atomic_int x;

static void handler(int sig)
{
    char here;
    stack_t now;
    ran++;
    x++;
    sigaltstack(NULL, &now);
    if (stack && &here >= stack && &here < stack + SIGSTKSZ) {
        on++;
        assert(now.ss_flags == SS_ONSTACK && sigaltstack(&now, NULL) == -1 && errno == EPERM);
    } else {
        assert(now.ss_flags == (stack ? 0 : SS_DISABLE));
    }
    if (sig == SIGUSR2)
        siglongjmp(back, 1);
}

static void *worker(void *arg)
{
    stack = malloc(SIGSTKSZ);
    stack_t mine = {.ss_sp = stack, .ss_size = SIGSTKSZ}, old;
    assert(sigaltstack(&mine, &old) == 0 && old.ss_flags == SS_DISABLE);
    raise(SIGUSR1);
    assert(ran == 1 && on == 1);
    if (!sigsetjmp(back, 1))
        raise(SIGUSR2);
    assert(ran == 2 && on == 2);
    raise(SIGHUP);
    assert(ran == 3 && on == 2);
    assert(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, &old) == 0 && old.ss_sp == stack);
    free(stack);
    stack = NULL;
    raise(SIGUSR1);
    assert(ran == 4 && on == 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGUSR2, &a, NULL);
    a.sa_flags = 0;
    sigaction(SIGHUP, &a, NULL);
    pthread_create(&t, NULL, worker, NULL);
    x++;
    pthread_join(t, NULL);
}
