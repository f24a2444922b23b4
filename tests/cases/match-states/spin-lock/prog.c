/* A spin lock with back-off that two threads take again and again, and say so. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int taken;
static int inside;

static void take(void)
{
    unsigned delay = 1;
    while (atomic_exchange(&taken, 1)) {
        usleep(delay);
        if (delay < 8)
            delay *= 2;
    }
}

static void *worker(void *arg)
{
    for (int round = 0;; round = !round) {
        take();
        inside++;
        assert(inside == 1);
        printf("round %d\n", round);
        inside--;
        atomic_store(&taken, 0);
#ifdef TWICE
        if (round) /* once too often */
            atomic_store(&taken, 0);
#endif
    }
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_join(t[0], NULL);
}
