/* A function offers its local variable to another thread and returns; its thread lives on and waits. */
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic offered;
static atomic_int done;

static __attribute__((noinline)) void offer(void)
{
    int local[64] = {1, 2, 3};
    atomic_store(&offered, local);
}

static void *owner(void *a)
{
    offer();
    while (!atomic_load(&done))
        ;
    return a;
}

static void *user(void *a)
{
    int *p, v;
    while (!(p = atomic_load(&offered)))
        ;
    v = p[2];
    atomic_store(&done, 1);
    return (void *)(long)v;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, owner, 0);
    pthread_create(&t[1], 0, user, 0);
    pthread_join(t[1], 0);
    pthread_join(t[0], 0);
}
