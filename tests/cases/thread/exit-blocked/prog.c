#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Threads that wait for ever, or poll, do not keep the program from ending: no deadlock, no livelock. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int shared;

static void *wait_for_work(void *arg)
{
    pthread_mutex_lock(&m);
    while (!shared)
        pthread_cond_wait(&c, &m);
    assert(!"there is no work");
    return NULL;
}

static void *poll_for_work(void *arg)
{
    int there = 0;
    while (!there) {
        pthread_mutex_lock(&m);
        there = shared;
        pthread_mutex_unlock(&m);
        usleep(10);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_work, NULL);
    pthread_create(&b, NULL, poll_for_work, NULL);
    exit(0);
}
