/* A coroutine ends, and where it goes on is what another thread writes meanwhile. */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t after, routine, here, copy;
static char stack[64 << 10];

static void body(void)
{
}

static void *saves(void *arg)
{
    after.uc_mcontext = copy.uc_mcontext; /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    volatile int came = 0;
    getcontext(&after);
    if (came++)
        return 0;
    copy = after;
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = sizeof stack;
    routine.uc_link = &after;
    makecontext(&routine, body, 0);
    pthread_create(&t, NULL, saves, NULL);
    swapcontext(&here, &routine);
    abort();
}
