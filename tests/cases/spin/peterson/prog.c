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
#ifndef R
#define R 1
#endif
#ifndef GIVE
#define GIVE
#endif
V flag[2], turn;
int count;
static void *work(void *a)
{
    long me = (long)a, o = 1 - me;
    for (int i = 0; i < R; i++) {
        flag[me] = 1;
        turn = o;
        while (flag[o] && turn == o)
            GIVE;
        count++;
        flag[me] = 0;
    }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(count == 2 * R);
}
