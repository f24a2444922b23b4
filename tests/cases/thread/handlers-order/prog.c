/* Threads register exit handlers: in which order is the order in which they run, backwards. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order[2], n;

static void add(int handler)
{
    order[n++] = handler;
    if (n == 2)
        assert(order[0] != FIRST); /* BUG */
}

static void first(void)
{
    add(1);
}

static void second(void)
{
    add(2);
}

static void *registers(void *handler)
{
    atexit(handler ? second : first);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, registers, NULL);
    pthread_create(&b, NULL, registers, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
