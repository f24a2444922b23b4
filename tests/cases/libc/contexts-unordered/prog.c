/* Two threads go on with one coroutine, and nothing orders them. */
#include <pthread.h>
#include <stddef.h>
#include <ucontext.h>

static ucontext_t routine, back;
static char stack[64 << 10];

static void body(void)
{
    swapcontext(&routine, &back);
}

static void *work(void *arg)
{
    (void)arg;
    swapcontext(&back, &routine); /* RACE */
    return NULL;
}

int main(void)
{
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = sizeof stack;
    makecontext(&routine, body, 0);
    pthread_t t, u;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, &t);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
