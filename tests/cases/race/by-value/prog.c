/* A structure that is given by value is read by the call itself. */
#include <pthread.h>
struct many {
    long of[5];
};
static struct many shared[2];
#ifdef OWN
#define OF(i) shared[i]
#else
#define OF(i) shared[0]
#endif
static __attribute__((noinline)) long sum(struct many m)
{
    return m.of[0] + m.of[4];
}
static void *give(void *a)
{
    (void)a;
    volatile long s = sum(OF(0));
    (void)s;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, give, 0);
    OF(1).of[4] = 1; /* BUG */
    pthread_join(t, 0);
}
