#include <pthread.h>
#include <string.h>

char a[64], b[64];

static void *first(void *arg)
{
    memcpy(a, b, sizeof a);
    return NULL;
}

static void *second(void *arg)
{
    memset(b + 60, 1, 4);
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
