/* Nobody sets the flag, but the loop ends by itself after some attempts. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, other;

static void *writer(void *arg)
{
    other = 1;
    return NULL;
}

static void *poller(void *arg)
{
    int n = 0;
    while (!atomic_load(&flag) && n++ < 20)
        sched_yield();
    other = 2;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    if (argc > 1)
        flag = 1;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
