/* Threads that join another one in time and that wait for a descriptor are asked to end. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_t joined;
static atomic_int v;
static int fd[2];

static void *works(void *arg)
{
    v = 1;
    v = 2;
    return NULL;
}

static void *joins(void *arg)
{
    struct timespec late = {2000000000, 0};
    pthread_timedjoin_np(joined, NULL, &late);
    v = 3;
    return NULL;
}

static void *polls(void *arg)
{
    struct pollfd in = {fd[0], POLLIN, 0};
    poll(&in, 1, -1);
    v = 4;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pipe(fd);
    pthread_create(&joined, NULL, works, NULL);
    pthread_create(&a, NULL, joins, NULL);
    pthread_create(&b, NULL, polls, NULL);
    pthread_cancel(a);
    write(fd[1], "x", 1);
    pthread_cancel(b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
