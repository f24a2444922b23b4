#include <pthread.h>
#include <stdatomic.h>

#include <sched.h>
#include <unistd.h>

atomic_int flag;

static void *first(void *arg)
{
    usleep(100);
    atomic_store(&flag, 1);
    return NULL;
}

static void *second(void *arg)
{
    while (!atomic_load(&flag))
        sched_yield();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
