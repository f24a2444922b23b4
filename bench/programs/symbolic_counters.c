/* Two threads that add to two counters what an input tells them to, and branch on it. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int a, b;
static int in[2];

static void *run(void *arg)
{
    int v = in[(long)arg];
    for (int i = 0; i < ROUNDS; i++)
        if (v >> i & 1)
            atomic_fetch_add(&a, v);
        else
            atomic_fetch_add(&b, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        in[i] = raddle_input_int("in", 0, 255);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
