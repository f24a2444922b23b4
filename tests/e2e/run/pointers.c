/* A bad pointer handed to a function that raddle defines, by name: the program's fault, whoever
 * follows it. */
#include <mqueue.h>
#include <pthread.h>
#include <raddle/sync.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[64];
static atomic_int x;

static void *add(void *arg)
{
    x++;
    return arg;
}

static void threads(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
    void *volatile bad = (void *)4096;
    const char *w = argv[1];
#define WHEN(word, call)                                                                           \
    if (!strcmp(w, word))                                                                          \
        call
    WHEN("threads", threads());
    WHEN("memcpy", memcpy(text, bad, sizeof text));
    WHEN("memset", memset(bad, 0, 64));
    WHEN("strlen", text[0] = (char)strlen(bad));
    WHEN("strcpy", strcpy(bad, "x"));
    WHEN("printf", snprintf(text, sizeof text, "%s", (char *)bad));
    WHEN("atomic", atomic_store((atomic_int *)bad, 1));
    WHEN("exchange", atomic_fetch_add((_Atomic long *)bad, 1));
    WHEN("mutex", pthread_mutex_init(bad, NULL));
    WHEN("create", pthread_create(bad, NULL, NULL, NULL));
    WHEN("sem", sem_getvalue((sem_t *)text, bad));
    WHEN("cond", pthread_condattr_init(bad));
    WHEN("once", pthread_once(bad, NULL));
    WHEN("sleep", nanosleep(bad, NULL));
    WHEN("clock", clock_gettime(CLOCK_MONOTONIC, bad));
    WHEN("mqueue", mq_open(bad, 0));
    WHEN("getenv", getenv(bad));
    WHEN("port", raddle_port_send(bad, text));
    WHEN("plain", *(volatile int *)bad = 1);
    return 0;
}
