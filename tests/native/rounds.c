/* One thread counts to ROUNDS, another waits for that (WAIT): so often it looks, and goes on waiting. The two
 * others are there for many executions. STRAIGHT: these alone, a program without a loop. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, x, y;

#ifndef STRAIGHT
static void *waits(void *arg)
{
#ifdef WAIT
    while (count != ROUNDS)
        ;
#endif
    return arg;
}

static void *counts(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        count++;
    return arg;
}
#endif

static void *one(void *arg)
{
    x = y + 1;
    x = y + 2;
    x = y + 3;
    x = y + 4;
    x = y + 5;
    return arg;
}

static void *two(void *arg)
{
    y = x + 1;
    y = x + 2;
    y = x + 3;
    y = x + 4;
    y = x + 5;
    return arg;
}

int main(void)
{
#ifdef STRAIGHT
    void *(*const work[])(void *) = {one, two};
#else
    void *(*const work[])(void *) = {waits, counts, one, two};
#endif
    enum { N = sizeof work / sizeof *work };
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return count < 0;
}
