/* Stack size, detached threads, what pthread_getattr_np says, names, priorities. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>

static sem_t done;

static int deep(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n ? deep(n - 1) + frame[0] * 0 : 0;
}

static void *work(void *arg)
{
    pthread_attr_t a;
    void *stack;
    size_t size;
    char name[16];
    assert(deep(6000) == 0); /* 24 MiB */
    assert(pthread_getattr_np(pthread_self(), &a) == 0);
    pthread_attr_getstack(&a, &stack, &size);
    assert(size >= 64u << 20 && (char *)&a > (char *)stack && (char *)&a < (char *)stack + size);
    pthread_attr_destroy(&a);
    pthread_setname_np(pthread_self(), "worker");
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "worker"));
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    struct sched_param p = {.sched_priority = 1};
    pthread_mutexattr_t ma;
    pthread_mutex_t m;
    pthread_mutexattr_init(&ma);
    assert(pthread_mutexattr_setprotocol(&ma, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutex_init(&m, &ma) == 0);
    sem_init(&done, 0, 0);
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 64u << 20);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&t, &a, work, NULL) == 0);
    assert(pthread_setschedparam(t, SCHED_RR, &p) == 0);
    pthread_mutex_lock(&m);
    sem_wait(&done);
    pthread_mutex_unlock(&m);
    pthread_attr_destroy(&a);
    return 0;
}
