#include <assert.h>
#include <pthread.h>

/* Ordered through a third thread: creation, join, creation again. */
int data[4];

static void *third(void *arg)
{
    data[0]++;
    return NULL;
}

static void *second(void *arg)
{
    pthread_t t;
    data[0]++;
    pthread_create(&t, NULL, third, NULL);
    data[1]++;
    pthread_join(t, NULL);
    data[0]++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    data[0]++;
    pthread_create(&a, NULL, second, NULL);
    data[2]++;
    pthread_join(a, NULL);
    pthread_create(&b, NULL, third, NULL);
    pthread_join(b, NULL);
    assert(data[0] == 5 && data[1] == 1 && data[2] == 1);
    return 0;
}
