#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
atomic_int x, y;
#ifndef GIVE
#define GIVE sched_yield()
#endif
static void *work(void *a)
{
    x = 1;
    y = 1;
    x = 2;
    y = 2;
    return a;
}
static void *wait(void *a)
{
    while (x != 2 || y != 2)
        GIVE;
    return a;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, wait, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
