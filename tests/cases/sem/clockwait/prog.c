/* A semaphore waited for with a limit by the monotonic clock, which moves on when it is over. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *poster(void *arg)
{
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec limit, now;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, poster, NULL);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 5;
    if (sem_clockwait(&s, CLOCK_MONOTONIC, &limit) != 0) {
        assert(errno == ETIMEDOUT);
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert(now.tv_sec >= limit.tv_sec);
        sem_wait(&s);
    }
    pthread_join(t, NULL);
    return 0;
}
