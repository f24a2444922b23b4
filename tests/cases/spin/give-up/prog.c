#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 10
#endif
#ifndef GIVE
#define GIVE sched_yield()
#endif
#include <unistd.h>
atomic_int flag;
static void *set(void *a)
{
    (void)a;
    flag = 1;
    return 0;
}
static void *poll(void *a)
{
    (void)a;
    for (int i = 0; i < ROUNDS; i++) {
        if (flag)
            return 0;
        GIVE;
    }
    assert(!"gave up"); /* BUG */
    return 0;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, set, 0);
    pthread_create(&u, 0, poll, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
