#include <assert.h>
#include <pthread.h>

/* The race makes both accesses scheduling points, so that the lost update is found too. */
int x;

static void *work(void *arg)
{
    x++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); /* BUG */
    return 0;
}
