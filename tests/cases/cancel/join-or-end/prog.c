/* A thread that joins another one is cancelled while that one ends. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_t child;

static void *short_lived(void *arg)
{
    x = 1;
    return NULL;
}

static void *joiner(void *arg)
{
    pthread_join(child, NULL);
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&child, NULL, short_lived, NULL);
    pthread_create(&a, NULL, joiner, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    return 0;
}
