#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_barrier_t b;
int x[2], sum[2];

static void *work(void *arg)
{
    long i = (long)arg;
    x[i] = (int)i + 1;
    pthread_barrier_wait(&b);
    sum[i] = x[0] + x[1];
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum[0] == 3 && sum[1] == 3);
    pthread_barrier_destroy(&b);
    return 0;
}
