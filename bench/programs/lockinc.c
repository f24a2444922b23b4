/* N threads count under one lock: N! traces. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(x == N);
    return 0;
}
