/* A ticket lock that three threads take without end: the numbers come round again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char next, serving;
static int inside;

static void *worker(void *arg)
{
    for (;;) {
#ifdef WRONG
        unsigned char mine = atomic_load(&next); /* somebody else may get the same */
        atomic_store(&next, mine + 1);
#else
        unsigned char mine = atomic_fetch_add(&next, 1);
#endif
        while (atomic_load(&serving) != mine)
            ;
        inside++;
        assert(inside == 1); /* BUG */
        inside--;
        atomic_store(&serving, mine + 1);
    }
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_join(t[0], NULL);
}
