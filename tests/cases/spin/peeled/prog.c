/* The first look of the loop stands before it: what it reads makes no more difference than in the loop. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *reader(void *arg)
{
    int a = x;
    while (a != 9) {
        sched_yield();
        a = x;
    }
    if (!y)
        do
            sched_yield();
        while (!y);
    return NULL;
}

static void *writer(void *arg)
{
    for (int i = 1; i < 10; i++)
        x = i;
    y = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
