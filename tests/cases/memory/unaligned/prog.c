#include <pthread.h>
#include <string.h>

char buffer[32];

static void *first(void *arg)
{
    int v = 5;
    memcpy(buffer + 6, &v, sizeof v); /* crosses an eight-byte boundary */
    return NULL;
}

static void *second(void *arg)
{
    buffer[9] = 1;
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
