/* A thread asks for a stack of 64 KiB and uses 100 KiB of it, if the other one comes first. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int large;
static atomic_long sum;

static int fill(int n, volatile char *outer)
{
    volatile char room[4096];
    room[0] = (char)n; /* BUG */
    outer[1] = n ? (char)fill(n - 1, room) : 0;
    return room[0] + room[1];
}

static void *works(void *arg)
{
    volatile char first[2];
    sum += fill(atomic_load(&large) ? 24 : 8, first);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 64 << 10);
    pthread_create(&t, &a, works, NULL);
    atomic_store(&large, 1);
    pthread_join(t, NULL);
    pthread_attr_destroy(&a);
    return 0;
}
