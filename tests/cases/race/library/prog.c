/* What the C library writes and reads for one thread, and another uses. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static struct {
    char text[64];
    char *end;
    struct timespec now;
    struct tm date;
    struct pollfd ready;
    sigset_t set;
    unsigned seed;
    int number, ends[2];
} ours[2];
static sem_t tokens;
#ifndef CALL
#define CALL clock_gettime(CLOCK_REALTIME, &mine->now)
#define USE mine->now.tv_nsec = 1
#endif
#ifdef OWN
#define OF(i) (&ours[i])
#else
#define OF(i) (&ours[0])
#endif
static void *call(void *a)
{
    __typeof__(&ours[0]) mine = OF(0);
    volatile long result = 0;
    (void)a, (void)result;
    CALL; /* CALL */
    return 0;
}
static void *use(void *a)
{
    __typeof__(&ours[0]) mine = OF(1);
    (void)a;
    USE; /* USE */
    return 0;
}
int main(void)
{
    pthread_t t, u;
    sem_init(&tokens, 0, 1);
    for (int i = 0; i < 2; i++)
        strcpy(ours[i].text, "12,34,56");
    pthread_create(&t, 0, call, 0);
    pthread_create(&u, 0, use, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
