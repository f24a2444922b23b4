/* Reaches one limit after the other: limits WORD. */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <raddle/sync.h>

static atomic_int x;

static void *increment(void *arg)
{
    for (long i = (long)arg; i > 0; i--)
        x++;
    return NULL;
}

static void spread(int threads, long steps)
{
    pthread_t t[64];
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, increment, (void *)steps);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
}

/* A race at each of 80 places. */
static int racy[80];
#define TOUCH1(n) racy[n]++;
#define TOUCH10(n)                                                                                 \
    TOUCH1(n) TOUCH1(n + 1) TOUCH1(n + 2) TOUCH1(n + 3) TOUCH1(n + 4) TOUCH1(n + 5) TOUCH1(n + 6)  \
    TOUCH1(n + 7) TOUCH1(n + 8) TOUCH1(n + 9)

static void *touch(void *arg)
{
    TOUCH10(0) TOUCH10(10) TOUCH10(20) TOUCH10(30) TOUCH10(40) TOUCH10(50) TOUCH10(60) TOUCH10(70)
    return NULL;
}

static void races(void)
{
    pthread_t t;
    pthread_create(&t, NULL, touch, NULL);
    touch(NULL);
    pthread_join(t, NULL);
}

static void objects(void)
{
    static pthread_mutex_t m[33000];
    for (int i = 0; i < 33000; i++)
        pthread_mutex_lock(&m[i]);
}

static void handler(void)
{
}

static void *nobody_home(void *arg)
{
    raddle_port *p = arg;
    int one = 1;
    for (int i = 0; i < 1100; i++)
        raddle_port_send(p, &one);
    return NULL;
}

static void candidates(void)
{
    static raddle_port p = RADDLE_PORT(int, RADDLE_ASYNC);
    pthread_t t;
    int got;
    pthread_create(&t, NULL, nobody_home, &p);
    pthread_join(t, NULL);
    raddle_port_receive(&p, &got);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "steps"))
        spread(2, 200);
    else if (!strcmp(word, "threads"))
        spread(6, 1);
    else if (!strcmp(word, "wide"))
        spread(4, 3);
    else if (!strcmp(word, "races"))
        races();
    else if (!strcmp(word, "objects"))
        objects();
    else if (!strcmp(word, "heap"))
        free(malloc(8 << 20));
    else if (!strcmp(word, "pipes"))
        for (int fd[2], i = 0; i < 300 && !pipe(fd); i++)
            close(fd[0]), close(fd[1]);
    else if (!strcmp(word, "handlers"))
        for (int i = 0; i < 5000; i++)
            atexit(handler);
    else if (!strcmp(word, "timers"))
        for (int i = 0; i < 70; i++)
            timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &(timer_t){0});
    else if (!strcmp(word, "candidates"))
        candidates();
    else if (!strcmp(word, "semaphores"))
        for (int i = 0; i < 70; i++) {
            char name[16];
            snprintf(name, sizeof name, "/s%d", i);
            sem_open(name, O_CREAT, 0600, 1);
        }
    else if (!strcmp(word, "queues"))
        for (int i = 0; i < 300; i++) {
            char name[16];
            snprintf(name, sizeof name, "/q%d", i);
            mqd_t q = mq_open(name, O_CREAT | O_RDWR, 0600, NULL);
            mq_close(q);
        }
    return 0;
}
