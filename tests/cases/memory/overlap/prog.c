#include <pthread.h>

/* An access of eight bytes overlaps one of its bytes. */
union {
    long whole;
    char byte[8];
} u;

static void *first(void *arg)
{
    u.whole = 1;
    return NULL;
}

static void *second(void *arg)
{
    u.byte[5] = 3;
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
