/* Without uc_link the end of a coroutine is that of the process: by exit(), whose handlers other threads can
 * still run beside. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t routine, here;
static char stack[64 << 10];
static atomic_int seen;

static void body(void)
{
}

static void *works(void *arg)
{
    seen = 1;
    return arg;
}

static void handler(void)
{
    assert(!seen); /* BUG */
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = sizeof stack;
    makecontext(&routine, body, 0);
    pthread_create(&t, NULL, works, NULL);
    swapcontext(&here, &routine);
    abort();
}
