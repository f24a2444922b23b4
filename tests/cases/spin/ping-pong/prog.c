#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
atomic_int c;
#ifndef GIVE
#define GIVE sched_yield()
#endif
static void *work(void *a)
{
    long me = (long)a;
    for (int i = 0; i < 3; i++) {
        while (c % 2 != me)
            GIVE;
        c++;
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
    assert(c == 6);
}
