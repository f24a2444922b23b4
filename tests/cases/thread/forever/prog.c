/* Creates threads for ever: bounded, and said so. */
#include <pthread.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, nothing, 0);
        pthread_join(t, 0);
    }
}
