/* A thread that goes on for ever and changes something every time: cut by --max-steps, and said so. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *for_ever(void *arg)
{
    for (;;)
        x++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, for_ever, NULL);
    y = x;
    pthread_join(t, NULL);
    return 0;
}
