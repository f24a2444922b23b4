#include <pthread.h>

volatile int flag;

static void *first(void *arg)
{
    flag = 1;
    return NULL;
}

static void *second(void *arg)
{
    while (!flag)
        ;
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
