/* Coroutines: a thread that changes its stack by itself stays one thread, whatever it waits for there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <ucontext.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static atomic_int ready;

struct routine {
    ucontext_t here, there;
    char stack[64 << 10];
};

static _Thread_local struct routine *current;

static void body(void)
{
    struct routine *r = current;
    pthread_mutex_lock(&m);
    total++;
    swapcontext(&r->there, &r->here); /* with the lock held */
    total++;
    pthread_mutex_unlock(&m);
    while (!atomic_load(&ready))
        ;
}

static void *work(void *arg)
{
    static struct routine routines[2];
    struct routine *r = current = &routines[arg != NULL];
    getcontext(&r->there);
    r->there.uc_stack.ss_sp = r->stack;
    r->there.uc_stack.ss_size = sizeof r->stack;
    r->there.uc_link = &r->here;
    makecontext(&r->there, body, 0);
    swapcontext(&r->here, &r->there);
    assert(total % 2 == 1);
    if (arg)
        atomic_store(&ready, 1);
    swapcontext(&r->here, &r->there);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, &t);
    work(NULL);
    pthread_join(t, NULL);
    assert(total == 4);
    return 0;
}
