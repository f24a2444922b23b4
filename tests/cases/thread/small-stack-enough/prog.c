/* The smallest stack there is does for what these threads do, and they are told how large it is. What raddle
 * needs of it is no concern of theirs. A thread that asks for nothing has all there is again. */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static int deep(int n)
{
    volatile char frame[512];
    frame[0] = (char)n;
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    char text[100];
    struct timespec ts = {0, 1};
    if (n == 0) {
        pthread_mutex_lock(&m);
        snprintf(text, sizeof text, "%d", shared);
        pthread_mutex_unlock(&m);
        free(malloc(atoi(text)));
        nanosleep(&ts, NULL);
    }
    return n ? deep(n - 1) + frame[0] * 0 : 0;
}

static void *works(void *arg)
{
    pthread_attr_t a;
    void *stack;
    size_t size;
    assert(pthread_getattr_np(pthread_self(), &a) == 0);
    pthread_attr_getstack(&a, &stack, &size);
    assert(size == (size_t)PTHREAD_STACK_MIN);
    assert((char *)&a > (char *)stack && (char *)&a < (char *)stack + size);
    pthread_attr_destroy(&a);
    deep(1);
    return arg;
}

static int deeper(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n ? deeper(n - 1) + frame[0] * 0 : 0;
}

static void *works_deeper(void *arg)
{
    deeper(1000);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN);
    pthread_create(&t[0], &a, works, NULL);
    pthread_create(&t[1], &a, works, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_attr_destroy(&a);
    pthread_create(&t[0], NULL, works_deeper, NULL);
    pthread_join(t[0], NULL);
    pthread_attr_init(&a);
    pthread_create(&t[0], &a, works_deeper, NULL);
    pthread_join(t[0], NULL);
    return 0;
}
