/* As spin/dead-counter, but after some rounds, some of which give way, the thread goes on without
 * the lock. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int held;
static int got;
static void *holder(void *a)
{
    held = 1;
    held = 0;
    return a;
}
static void *work(void *a)
{
    int rounds = 0;
    while (held) {
        if (++rounds % 2)
            sched_yield();
        if (rounds == 5)
            return a;
    }
    got = 1;
    return a;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, holder, 0);
    pthread_create(&t[1], 0, work, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(got); /* BUG */
}
