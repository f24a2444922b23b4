/* Peterson's lock, taken by two threads without end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *worker(void *arg)
{
    int me = arg != NULL, other = !me;
    for (;;) {
#ifdef WRONG
        atomic_store(&turn, other); /* too early */
#endif
        atomic_store(&wants[me], 1);
#ifndef WRONG
        atomic_store(&turn, other);
#endif
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        inside++;
        assert(inside == 1); /* BUG */
        inside--;
        atomic_store(&wants[me], 0);
    }
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    pthread_join(t[0], NULL);
}
