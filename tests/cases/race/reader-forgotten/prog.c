#include <pthread.h>

/* Many may read; the writer waits for all of them but one. */
int shared, sum[3];

static void *reader(void *arg)
{
    int *mine = arg;
    *mine = shared;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, reader, &sum[i]);
    pthread_join(t[0], NULL);
    pthread_join(t[2], NULL);
    shared = 1; /* BUG */
    pthread_join(t[1], NULL);
    return 0;
}
