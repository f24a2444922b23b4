/* Waits with a limit, again and again, and does something in between. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t work;
static int idle;

static void *worker(void *arg)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    for (;;) {
        until.tv_sec++;
        if (sem_timedwait(&work, &until) == 0)
            return NULL;
        idle++;
    }
}

int main(void)
{
    pthread_t t;
    sem_init(&work, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_post(&work);
    return pthread_join(t, NULL);
}
