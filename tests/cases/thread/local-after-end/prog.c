/* A thread-local variable is used by another thread after its own has ended. */
#include <pthread.h>

static __thread int mine = 5;
static int *shared;

static void *worker(void *arg)
{
    mine = 7;
    shared = &mine;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return *shared == 8; /* BUG */
}
