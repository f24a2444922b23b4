#include <assert.h>
#include <pthread.h>

/* The racy variable is a local of main. */
static void *increment(void *arg)
{
    int *counter = arg;
    (*counter)++;
    return NULL;
}

int main(void)
{
    int counter = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, increment, &counter);
    pthread_create(&b, NULL, increment, &counter);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
