/* Lamport's bakery, two threads. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifdef PLAIN
#define V int
#endif
#ifdef VOLATILE
#define V volatile int
#endif
#ifndef V
#define V atomic_int
#endif
#ifndef GIVE
#define GIVE
#endif
#ifndef N
#define N 2
#endif
V choosing[N], number[N];
int count;
static void *work(void *a)
{
    long me = (long)a;
    choosing[me] = 1;
    int most = 0;
    for (int i = 0; i < N; i++) {
        int n = number[i];
        if (n > most)
            most = n;
    }
    number[me] = most + 1;
    choosing[me] = 0;
    for (int i = 0; i < N; i++) {
        if (i == me)
            continue;
        while (choosing[i])
            GIVE;
        for (;;) {
            int n = number[i];
            if (!n || n > most + 1 || (n == most + 1 && i > me))
                break;
            GIVE;
        }
    }
    count++;
    number[me] = 0;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(count == N);
}
