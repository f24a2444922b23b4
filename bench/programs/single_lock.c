/* N threads, each with K critical sections of the same lock. */
#include <assert.h>
#include <pthread.h>

#ifndef K
#define K 2
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void *work(void *arg)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&m);
        x++;
        y = x;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(x == N * K && y == x);
    return 0;
}
