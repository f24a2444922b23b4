/* N threads, each with K critical sections of the same lock; ONCE more threads with one each. */
#include <assert.h>
#include <pthread.h>

#ifndef K
#define K 2
#endif
#ifndef ONCE
#define ONCE 0
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void *work(void *arg)
{
    for (int i = 0; i < ((long)arg < N ? K : 1); i++) {
        pthread_mutex_lock(&m);
        x++;
        y = x;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N + ONCE];
    for (long i = 0; i < N + ONCE; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N + ONCE; i++)
        pthread_join(t[i], NULL);
    assert(x == N * K + ONCE && y == x);
    return 0;
}
